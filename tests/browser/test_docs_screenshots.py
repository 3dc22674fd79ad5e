"""The pages that tutorial and README show; `make screenshots` stores the screenshots in docs/images."""

from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.reader import screenshot
from browser.serving import serving
from browser.stories import demo_pages
from docs.blocks import steps, walking
from dupgroups import Deduper, open_engine

pytestmark = [pytest.mark.browser, pytest.mark.slow]  # `make screenshots` runs them
WINDOW = {"width": 1000, "height": 480}


@pytest.fixture
def page(browser: Browser) -> Page:
    return browser.new_page(
        viewport=WINDOW, device_scale_factor=1.5, color_scheme="light", reduced_motion="reduce"
    )  # type: ignore[arg-type]


def search(page: Page, words: str) -> None:
    page.get_by_label("Search the stories").fill(words)
    page.get_by_label("Search the stories").press("Enter")


def expand(page: Page, copies: int) -> None:
    """Show the copies of the first story; htmx does not listen before it has settled what it swapped in."""
    expect(page.locator(".htmx-settling")).to_have_count(0)
    story = page.get_by_role("article").first
    story.locator("summary").click()
    expect(story.locator(".members li")).to_have_count(copies)


def test_what_the_tutorial_shows(page: Page, tmp_path: Path) -> None:
    with walking(tmp_path) as walk:
        for block in steps(server=False):
            walk.type(block)
        page.goto(f"http://127.0.0.1:{walk.page}/")
        expect(page.get_by_role("status")).to_have_text("3 stories in 6 documents")
        expect(page.get_by_role("article")).to_have_count(3)
        screenshot(page, "tutorial-stories")

        search(page, "ferry")
        expect(page.get_by_role("article")).to_have_count(1)
        expand(page, 2)
        screenshot(page, "tutorial-copies")

        page.get_by_role("link", name="All documents").click()
        expect(page.get_by_role("article")).to_have_count(3)
        screenshot(page, "tutorial-all")


def test_what_the_readme_shows(page: Page, tmp_path: Path) -> None:
    with closing(open_engine(f"sqlite:///{tmp_path}/news.db")) as engine:
        Deduper(engine).add_all(demo_pages())
        with serving(engine) as site:
            page.set_viewport_size({**WINDOW, "height": 640})
            page.goto(site.url)
            search(page, "storm")
            expect(page.get_by_role("status")).to_contain_text("for “storm”")
            expand(page, 3)
            screenshot(page, "search-page", whole=False)
