"""From a story to the reason why two of its copies are one, in a real browser; hostile words stay text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from browser.serving import Site, serving
from browser.test_search_page import Reader, browser, reader  # noqa: F401 - fixtures
from dupgroups.content.extract import extract
from dupgroups.engines import open_engine
from dupgroups.explain import explain_page
from dupgroups.flow import Deduper
from dupgroups.model import Page as NewsPage
from dupgroups.web.render import report
from stories import story
from test_web_explain import EVIL, pages

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def explained(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with closing(open_engine(f"sqlite:///{tmp_path_factory.mktemp('web') / 'news.db'}")) as engine:
        Deduper(engine).add_all(pages())
        with serving(engine) as site:
            yield site


def fits(reader: Reader) -> bool:  # noqa: F811
    """Whether the page is as wide as the window."""
    wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    return bool(reader.page.evaluate(wider) == 0)


def test_from_the_story_to_the_reason_and_on(
    explained: Site,
    reader: Reader,  # noqa: F811
    request: pytest.FixtureRequest,
) -> None:
    kind, page = request.node.callspec.params["reader"], reader.page
    page.goto(f"{explained.url}/groups/a")
    expect(page.get_by_role("heading", name="Who is tied to whom")).to_be_visible()
    expect(page.locator(".matrix .tied")).to_have_count(6)
    assert fits(reader)
    reader.screenshot(f"ties-{kind}")
    page.get_by_role("link", name="Why here?").last.click()
    expect(page).to_have_url(f"{explained.url}/explain?a=a&b=c")
    expect(page.get_by_role("heading", level=1)).to_have_text("These two are one story")
    expect(page.get_by_role("table")).to_contain_text("phrases common to both")
    assert fits(reader)
    reader.screenshot(f"explain-{kind}")
    summary = page.locator("summary", has_text="In both")
    summary.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".features li").first).to_be_visible()
    page.get_by_label("Id of the second").fill("round-up")
    page.get_by_label("Id of the second").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("These two are two stories")
    expect(page.locator(".side mark").first).to_be_visible()


def test_hostile_texts_are_only_text(explained: Site, reader: Reader) -> None:  # noqa: F811
    page = reader.page
    page.goto(f"{explained.url}/groups/%3Cevil%3E")
    expect(page.get_by_role("heading", level=1)).to_contain_text("<script>alert('x')</script>")
    page.get_by_role("link", name="Why here?").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("These two are one story")
    expect(page.locator(".side").first).to_contain_text("<img src=x onerror=alert(1)>")
    assert page.locator(".side img, .side script").count() == 0
    assert fits(reader)


def test_the_report_of_a_page_opens_from_a_file(reader: Reader, tmp_path: Path) -> None:  # noqa: F811
    lines = "".join(f"<p>{line}" for line in story("a").split("\n"))
    menu = f"<ul><li><a href=/>{EVIL}</a></ul>"
    source = NewsPage(html=f"<title>The quay</title>{menu}<h1>The quay</h1>{lines}")
    file = tmp_path / "report.html"
    file.write_text(report("extracted.html", made=explain_page(source)), encoding="utf-8")
    reader.page.goto(file.as_uri())
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("The quay")
    kept = reader.page.locator(".block.kept")
    expect(kept).to_have_count(len(extract(source).text.split("\n")))
    expect(kept.first).to_have_css("border-inline-start-width", "4px")
    assert fits(reader)


def test_without_scripts_everything_is_there(explained: Site, browser: Browser) -> None:  # noqa: F811
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{explained.url}/groups/a")
    page.locator(".matrix .tied").first.click()
    expect(page.get_by_role("heading", name="Both texts")).to_be_visible()
    page.get_by_role("link", name="The story of the first").click()
    expect(page).to_have_url(f"{explained.url}/groups/a")
    page.context.close()
