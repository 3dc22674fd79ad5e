"""See it, correct it: one reader's way over the demo, in a real browser.

`make screenshots` puts those of all pages, on a phone, into test-output/: in both languages, by day and dark.
"""

import os
from typing import Literal

import pytest
from playwright.sync_api import Browser, expect
from playwright.sync_api import Page as BrowserPage

from browser.reader import Reader, screenshot
from browser.serving import serving
from browser.stories import demo_pages
from dupgroups import Deduper, Page
from dupgroups.engines.base import Engine
from stories import story

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]  # 20 seconds on idle cores

TOKEN = "a-token-of-ann-0123"
EVIL = "<script>alert('x')</script><img src=x onerror=alert(1)>"
HIDDEN = EVIL.replace("<", "&lt;")  # how a page shows it as text
LOOKS: list[tuple[str, Literal["light", "dark"]]] = [("zh", "dark"), ("en", "light")]  # goes on in the last


def hostile(number: int) -> Page:
    """A page whose words are markup, twice in slightly other words."""
    lines = "".join(f"<p>{HIDDEN} {line}</p>" for line in story("evil").split("\n")[number:])
    head = f'<title>{HIDDEN}</title><meta name="author" content="{HIDDEN}">'
    return Page(
        id=f"{EVIL}{number}", url=f"https://evil{number}.example/{EVIL}",
        html=f"<html lang=en>{head}<h1>{HIDDEN}</h1><article>{lines}</article>",
    )  # fmt: skip


@pytest.fixture
def demo(engine: Engine) -> Engine:
    """The stories of the demo, and two copies of a hostile page."""
    Deduper(engine).add_all([*demo_pages(), hostile(0), hostile(1)])
    return engine


class Walker(Reader):
    """A reader who looks at every page in both languages, in the dark, and on a phone."""

    takes_screenshots = "DUPGROUPS_SCREENSHOTS" in os.environ

    def speak(self, language: str) -> None:
        """Ask for pages in this language from now on."""
        wanted = {"accept-language": language}
        self.page.unroute("**/*")
        self.page.route("**/*", lambda route: route.continue_(headers=route.request.headers | wanted))

    def look(self, name: str) -> None:
        address = self.page.url
        for language, scheme in LOOKS:
            self.page.set_viewport_size({"width": 390, "height": 850})
            self.page.emulate_media(color_scheme=scheme)
            self.speak(language)
            self.page.goto(address)
            if self.takes_screenshots:
                screenshot(self.page, f"journey-{name}-{language}", folder="test-output")
            root = "document.documentElement"
            assert self.page.evaluate(f"{root}.scrollWidth <= {root}.clientWidth"), "it fits the window"
        self.page.set_viewport_size({"width": 1200, "height": 850})


@pytest.mark.parametrize(
    "engine_url",
    ["sqlite", pytest.param("opensearch-3", marks=[pytest.mark.server, pytest.mark.slow])],
    indirect=True,
)
def test_see_and_correct(demo: Engine, browser: Browser) -> None:
    with serving(demo, tokens={"ann": TOKEN}) as site:
        walker = Walker(browser.new_page(viewport={"width": 1200, "height": 850}, locale="en-GB"))
        _see(walker, site.url)
        _correct(walker, site.url, demo)
        assert [text for text in walker.complaints if "400" not in text] == []
        assert walker.dialogs == []


def more(page: BrowserPage, number: int) -> None:
    """Open the menu of a copy."""
    page.get_by_label(f"More about copy {number}").click()


def _see(walker: Walker, url: str) -> None:
    """From a search to the page of a story, and why two of its copies are one."""
    page = walker.page
    page.goto(f"{url}/overview")
    walker.look("overview")
    page.get_by_role("link", name="All of them").first.click()
    expect(page.get_by_text("Most copies first")).to_have_attribute("aria-current", "true")
    page.goto(url)
    page.keyboard.press("/")
    expect(page.get_by_label("Search the stories")).to_be_focused()
    page.keyboard.type("storm/s")  # in the field, "/" is a character
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("for “storm”")
    walker.look("search")
    page.get_by_role("article").first.locator("h2 a").click()
    expect(page.get_by_role("heading", name="How alike the copies are")).to_be_visible()
    expect(page.locator(".timeline circle")).to_have_count(4)
    walker.look("group")
    more(page, 2)
    page.get_by_role("link", name="Compare with the main copy").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("These two are one story")
    walker.look("explain")
    page.get_by_label("Id or address of the second").fill(f"{EVIL}1")
    page.keyboard.press("Enter")
    expect(page.locator(".side").last).to_contain_text("<script>alert('x')</script>")
    walker.speak("zh")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("这两篇是两则报道")
    page.get_by_label("搜索报道").fill("没有这个词")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="没有找到结果")).to_be_visible()
    walker.look("nothing")


def _correct(walker: Walker, url: str, engine: Engine) -> None:
    """Part a copy from its story, join another one, make it the head, and take everything back."""
    page = walker.page
    page.goto(f"{url}/?q=storm")
    page.get_by_role("article").first.locator("h2 a").click()
    page.get_by_role("link", name="Log in").click()
    expect(page.get_by_label("Your token")).to_be_focused()  # what is typed sooner goes elsewhere
    page.keyboard.type(TOKEN)
    page.keyboard.press("Enter")

    more(page, 4)
    page.get_by_role("button", name="Not this story").last.click()
    expect(page.locator(".corrections")).to_contain_text("are kept apart, by ann")
    expect(page.get_by_role("status")).to_contain_text("are kept apart")
    expect(page.get_by_role("status").get_by_role("button", name="Undo")).to_be_in_viewport()
    page.get_by_label("The same story as").fill(f"{EVIL}0")
    page.get_by_role("button", name="Keep together").click()
    expect(page.locator(".corrections")).to_contain_text("are kept together, by ann")
    joined = page.locator(".copies-of-story tr").filter(has_text="onerror").first
    joined.locator("summary").click()
    joined.get_by_role("button", name="Make it the main copy").click()
    expect(page.locator(".corrections")).to_contain_text("is the main copy of its story")
    assert engine.get([f"{EVIL}0"])[f"{EVIL}0"].is_head
    walker.look("correcting")

    page.get_by_role("link", name="All corrections").click()
    expect(page).to_have_url(f"{url}/corrections")
    walker.look("corrections")
    for number in (1, 2, 3):  # one after another: the buttons are on the page before, too
        page.get_by_role("button", name=f"Undo correction {number}").click()
        expect(page.locator(".log")).to_contain_text(f"correction {number} is undone")
    page.get_by_role("button", name="Log out").click()
    expect(page).to_have_url(f"{url}/")
    page.goto(f"{url}/?q=storm")
    expect(page.get_by_role("article").first.locator(".size")).to_have_text("3 other copies")
