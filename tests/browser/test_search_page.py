"""One reader's way through the search page, in a real browser; screenshots go to test-output/."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Dialog, Page, Route, expect

from browser.chromium import chromium
from browser.serving import Site, serving
from browser.stories import HOSTILE_TITLE, PICTURE, stories
from dupgroups.engines import open_engine
from dupgroups.engines.memory import MemoryEngine

pytestmark = pytest.mark.browser

DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 9L4 2 9 9z"/></svg>'
SCREENSHOTS = Path(__file__).parents[2] / "test-output"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with closing(open_engine(f"sqlite:///{tmp_path_factory.mktemp('web') / 'news.db'}")) as engine:
        engine.put(stories())
        with serving(engine) as site:
            yield site


@pytest.fixture(scope="module")
def pictured() -> Iterator[Site]:
    engine = MemoryEngine()
    engine.put(stories())
    with serving(engine, pictures=True) as site:
        yield site


class Reader:
    """A page of the browser that notes every dialog, error and message of the console."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.dialogs: list[str] = []
        self.complaints: list[str] = []
        page.on("dialog", self._dismiss)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda message: self.complaints.append(message.text))

    def _dismiss(self, dialog: Dialog) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def screenshot(self, name: str) -> None:
        SCREENSHOTS.mkdir(exist_ok=True)
        # hiding the caret would need an inline style, which the page forbids
        self.page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=True, caret="initial")


@pytest.fixture(params=["desk", "dark", "phone"])
def reader(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Reader]:
    """The same way on a desk, in the dark, and on a phone; nothing may be complained about on any."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844}
        if request.param == "phone"
        else {"width": 1200, "height": 850},
        color_scheme="dark" if request.param == "dark" else "light",
    )
    reader = Reader(context.new_page())
    yield reader
    context.close()
    assert reader.complaints == []
    assert reader.dialogs == []


def test_search_expand_and_follow_a_facet(site: Site, reader: Reader, request: pytest.FixtureRequest) -> None:
    kind, page = request.node.callspec.params["reader"], reader.page
    page.goto(site.url)
    expect(page.get_by_role("status")).to_have_text("5 stories in 10 documents")
    reader.screenshot(f"start-{kind}")

    page.get_by_label("Search the stories").fill("ferry")
    page.get_by_label("Search the stories").press("Enter")
    expect(page.get_by_role("status")).to_contain_text("2 stories in 6 documents")
    expect(page).to_have_url(f"{site.url}/?q=ferry")
    story = page.get_by_role("article").first
    expect(story.locator("mark").first).to_have_text("ferry")
    expect(story.locator("summary")).to_contain_text("Also from: ")

    expect(story.locator(".members li")).to_have_count(3)
    story.locator("summary").click()
    expect(story.locator(".members li")).to_have_count(5)
    reader.screenshot(f"expanded-{kind}")

    page.get_by_role("link", name="The Ashvale Post 1").click()
    expect(page.get_by_role("status")).to_contain_text("1 story in 1 document")
    expect(page).to_have_url(f"{site.url}/?q=ferry&site=The+Ashvale+Post")
    reader.screenshot(f"facet-{kind}")
    page.get_by_role("link", name="remove this filter").click()
    expect(page.get_by_role("status")).to_contain_text("2 stories in 6 documents")
    page.get_by_role("link", name="All documents").click()
    expect(page.get_by_role("article")).to_have_count(6)

    page.go_back()
    expect(page.get_by_role("article")).to_have_count(2)
    wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wider == 0, "the page is wider than the window"


def test_a_lead_picture_is_fetched_without_telling_from_where(
    pictured: Site, reader: Reader, request: pytest.FixtureRequest
) -> None:
    page, asked = reader.page, []

    def answer(route: Route) -> None:
        asked.append((route.request.url, route.request.headers.get("referer")))
        route.fulfill(body=DRAWING, content_type="image/svg+xml")

    page.route("https://pictures.example/**", answer)
    page.goto(f"{pictured.url}/?q=ferry")
    page.wait_for_function("document.querySelector('img.lead').naturalWidth > 0")
    reader.screenshot(f"pictures-{request.node.callspec.params['reader']}")
    assert asked == [(PICTURE, None)]
    page.get_by_role("link", name="Jo Brandt").click()
    expect(page.get_by_role("status")).to_contain_text("1 story in 1 document")


def test_a_hostile_title_is_only_text(site: Site, reader: Reader) -> None:
    page = reader.page
    page.goto(f"{site.url}/?q=attack")
    hostile = page.get_by_role("article")
    expect(hostile.get_by_role("heading")).to_have_text(HOSTILE_TITLE)
    expect(hostile.get_by_role("link")).to_have_text(["<b>Evil</b>"])  # its author, as a filter of ours
    page.goto(f"{site.url}/groups/c1")
    expect(page.get_by_role("heading", level=1)).to_have_text(HOSTILE_TITLE)


def test_without_scripts_the_copies_are_a_link_away(site: Site, browser: Browser) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{site.url}/?q=ferry")
    page.locator("summary").click()
    page.get_by_role("link", name="All 5 copies").click()
    expect(page.locator(".members li")).to_have_count(5)
    page.get_by_role("link", name="Back to the results").click()
    expect(page.get_by_role("article")).to_have_count(2)
    page.context.close()
