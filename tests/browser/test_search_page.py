"""One reader's way through the search page, in a real browser; screenshots go to test-output/."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Dialog, Page, Route, expect

from browser.chromium import chromium
from browser.serving import Site, serving
from browser.stories import HEBREW, HOSTILE_TITLE, PICTURE, odd, stories, widespread
from dupgroups.engines import open_engine
from dupgroups.engines.sqlite import SQLiteEngine

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
    engine = SQLiteEngine()
    engine.put(stories())
    with serving(engine, pictures=True) as site:
        yield site


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A story with twelve copies on one site and one on twenty-one others; and odd documents."""
    with closing(open_engine(f"sqlite:///{tmp_path_factory.mktemp('web') / 'news.db'}")) as engine:
        engine.put([*widespread(), *odd()], moves={"old-name": "w00"})
        with serving(engine) as site:
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
    permalink = story.get_by_role("link", name="Permalink")
    expect(permalink).to_have_attribute("href", "/groups/a1?q=ferry")
    story.locator("summary").click()
    expect(story.locator(".members li")).to_have_count(5)
    expect(permalink).to_have_attribute("href", "/groups/a1?q=ferry")
    expect(story.get_by_role("link", name="All 5 copies")).to_have_attribute("href", "/groups/a1?q=ferry")
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
    expect(hostile.get_by_role("link")).to_have_text(["<b>Evil</b>", "Permalink"])  # no link of its own
    page.goto(f"{site.url}/groups/c1")
    expect(page.get_by_role("heading", level=1)).to_have_text(HOSTILE_TITLE)


def test_every_snippet_and_title_fits_in(crowd: Site, reader: Reader, request: pytest.FixtureRequest) -> None:
    """Long snippets are of one height in every script; a title from right to left begins at the right."""
    kind, page = request.node.callspec.params["reader"], reader.page
    page.goto(f"{crowd.url}/?mode=head&limit=4")
    snippets = page.locator(".snippet")
    heights = {round(snippet.bounding_box()["height"]) for snippet in snippets.all()}  # type: ignore[index]
    assert len(heights) == 1, heights
    assert snippets.count() == 4
    title = page.get_by_role("heading", name=HEBREW)
    expect(title).to_have_css("direction", "rtl")
    box = title.bounding_box()
    words = title.get_by_role("link").bounding_box()
    assert box
    assert words
    assert words["x"] + words["width"] == pytest.approx(box["x"] + box["width"], abs=2)
    reader.screenshot(f"scripts-{kind}")


def test_twelve_copies_of_a_site_are_one_line(
    crowd: Site, reader: Reader, request: pytest.FixtureRequest
) -> None:
    page = reader.page
    page.goto(f"{crowd.url}/?q=bridge")
    story = page.get_by_role("article")
    story.locator("summary").click()
    expect(story.locator(".members li")).to_have_count(22)
    line = story.locator(".members li").first
    expect(line.locator(".times a")).to_have_count(12)
    expect(line.get_by_role("link", name="11:05 UTC")).to_have_attribute("href", re.compile("update-11"))
    reader.screenshot(f"crowd-{request.node.callspec.params['reader']}")


def test_the_keyboard_alone_is_enough(crowd: Site, reader: Reader) -> None:
    """From "/" to the words, and to the copies."""
    page = reader.page
    page.goto(crowd.url)
    page.keyboard.press("/")
    search = page.get_by_label("Search the stories")
    expect(search).to_be_focused()
    page.keyboard.type("bridge/storm")  # in the field, "/" is a character
    expect(search).to_have_value("bridge/storm")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{crowd.url}/?q=bridge%2Fstorm")
    page.get_by_role("link", name="Permalink").focus()
    page.keyboard.press("Tab")  # the title
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".members > li")).to_have_count(22)
    page.keyboard.press("/")
    expect(search).to_be_focused()
    page.keyboard.type("harbour")
    expect(search).to_have_value("harbour")  # what was there was selected


def test_an_empty_page_leads_to_stories_with_any_of_the_words(
    crowd: Site, reader: Reader, request: pytest.FixtureRequest
) -> None:
    page = reader.page
    page.goto(f"{crowd.url}/?q=bridge+harbour")
    expect(page.get_by_role("heading", name="Nothing found")).to_be_visible()
    reader.screenshot(f"nothing-{request.node.callspec.params['reader']}")
    page.get_by_role("link", name="Show 2 stories with any of these words").click()
    expect(page.get_by_role("article")).to_have_count(2)


def test_the_foot_leads_to_the_json_of_the_page(crowd: Site, reader: Reader) -> None:
    page = reader.page
    page.goto(f"{crowd.url}/?q=bridge")
    page.get_by_role("link", name="JSON API").click()
    expect(page).to_have_url(f"{crowd.url}/api/search?q=bridge")
    expect(page.locator("body")).to_contain_text('"stories":1')


def test_the_page_of_a_story(crowd: Site, reader: Reader, request: pytest.FixtureRequest) -> None:
    """By its permalink, and by a former name after the story was found to be another."""
    page = reader.page
    page.goto(f"{crowd.url}/?q=bridge")
    page.get_by_role("link", name="Permalink").click()
    expect(page).to_have_url(f"{crowd.url}/groups/w00?q=bridge")
    expect(page.get_by_role("heading", level=1)).to_have_text("Bridge closed after storm")
    expect(page.locator(".sites > li")).to_have_count(22)
    expect(page.get_by_text("First copy")).to_have_count(1)
    wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wider == 0, "the page is wider than the window"
    reader.screenshot(f"story-{request.node.callspec.params['reader']}")
    with page.expect_navigation():  # to the address where the page is already
        page.get_by_role("link", name="old-name").click()
    expect(page).to_have_url(f"{crowd.url}/groups/w00?q=bridge")
    page.get_by_role("link", name="Back to the results").click()
    expect(page.get_by_role("article")).to_have_count(1)


def test_a_former_name_leads_to_the_story_without_scripts(crowd: Site, browser: Browser) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{crowd.url}/groups/old-name")
    expect(page).to_have_url(f"{crowd.url}/groups/w00")
    expect(page.locator(".members li")).to_have_count(33)
    page.context.close()


def test_without_scripts_the_copies_are_a_link_away(site: Site, browser: Browser) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{site.url}/?q=ferry")
    expect(page.get_by_role("link", name="Permalink")).to_have_count(2)
    page.get_by_role("article").locator("summary").click()
    page.get_by_role("link", name="All 5 copies").click()
    expect(page.locator(".members li")).to_have_count(5)
    page.get_by_role("link", name="Back to the results").click()
    expect(page.get_by_role("article")).to_have_count(2)
    page.context.close()
