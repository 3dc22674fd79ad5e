"""See it, correct it, label it: one reader's way over the crawled demo, in a real browser.

Screenshots of all pages go to test-output/, in both languages, on a desk, in the dark and on a phone.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import expect

from browser.chromium import Reader, chromium
from browser.serving import serving
from dupgroups import Deduper, Page, open_engine
from dupgroups.engines.base import Engine
from dupgroups_demo import DemoSite, seeds, serve
from dupgroups_lab.labelling.drawing import Plan
from dupgroups_lab.labelling.model import Rules
from dupgroups_lab.labelling.store import LabelStore
from lab.labelling.client import labelling
from lab.labelling.projects import ALL, project
from stories import story

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]  # 20 seconds on idle cores

TOKEN = "a-token-of-ann-0123"
EVIL = "<script>alert('x')</script><img src=x onerror=alert(1)>"
HIDDEN = EVIL.replace("<", "&lt;")  # how a page shows it as text
LOOKS: list[tuple[str, str, int, Literal["light", "dark"]]] = [
    ("zh", "desk", 1200, "light"),
    ("zh", "phone", 390, "dark"),
    ("en", "phone", 390, "light"),
]
CRAWL = "import sys; from pathlib import Path; from dupgroups_demo.crawl import crawl; "
CRAWL += "crawl(Path(sys.argv[1]).read_text().split(), sys.argv[2], Path(sys.argv[1]).parent)"


def hostile(number: int) -> Page:
    """A page whose words are markup, twice in slightly other words."""
    lines = "".join(f"<p>{HIDDEN} {line}</p>" for line in story("evil").split("\n")[number:])
    head = f'<title>{HIDDEN}</title><meta name="author" content="{HIDDEN}">'
    return Page(
        id=f"{EVIL}{number}", url=f"https://evil{number}.example/{EVIL}",
        html=f"<html lang=en>{head}<h1>{HIDDEN}</h1><article>{lines}</article>",
    )  # fmt: skip


@pytest.fixture(scope="module")
def sites() -> Iterator[list[DemoSite]]:
    with serve() as sites:
        yield sites


@pytest.fixture
def crawled(engine_url: str, sites: list[DemoSite], tmp_path: Path) -> Iterator[Engine]:
    """What a crawl of the demo stores, and two copies of a hostile page."""
    urls = [line for line in seeds(sites).splitlines() if not line.startswith("#")]
    (tmp_path / "seeds.txt").write_text("\n".join(urls))
    subprocess.run([sys.executable, "-c", CRAWL, tmp_path / "seeds.txt", engine_url], check=True, timeout=120)
    with closing(open_engine(engine_url)) as engine:
        Deduper(engine).add_all([hostile(0), hostile(1)])
        yield engine


class Walker(Reader):
    """A reader who looks at every page in both languages, in the dark, and on a phone."""

    def speak(self, language: str) -> None:
        """Ask for pages in this language from now on."""
        wanted = {"accept-language": language}
        self.page.unroute("**/*")
        self.page.route("**/*", lambda route: route.continue_(headers=route.request.headers | wanted))

    def look(self, name: str) -> None:
        address = self.page.url
        for language, look, width, scheme in LOOKS:
            self.page.set_viewport_size({"width": width, "height": 850})
            self.page.emulate_media(color_scheme=scheme)
            self.speak(language)
            self.page.goto(address)
            self.screenshot(f"journey-{name}-{language}-{look}")
            assert self.fits
        self.page.set_viewport_size({"width": 1200, "height": 850})
        self.speak("en")
        self.page.goto(address)


@pytest.mark.parametrize(
    "engine_url", ["sqlite", pytest.param("opensearch-3", marks=pytest.mark.server)], indirect=True
)
def test_see_correct_and_label(crawled: Engine, tmp_path: Path) -> None:
    expect.set_options(timeout=30_000)  # where many tests run at once
    with chromium() as browser:
        walker = Walker(browser.new_page(viewport={"width": 1200, "height": 850}, locale="en-GB"))
        with serving(crawled, tokens={"ann": TOKEN}) as site:
            _see(walker, site.url)
            _correct(walker, site.url, crawled)
        _label(walker, crawled, tmp_path)
        assert [text for text in walker.complaints if "400" not in text] == []
        assert walker.dialogs == []


def _see(walker: Walker, url: str) -> None:
    """From a search to the page of a story, and why two of its copies are one."""
    page = walker.page
    page.goto(url)
    expect(page.get_by_role("article").first).to_be_visible()
    page.get_by_label("Search the stories").fill("storm")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("for “storm”")
    walker.look("search")
    page.get_by_role("article").first.get_by_role("link", name="Permalink").click()
    expect(page.get_by_role("heading", name="Who is tied to whom")).to_be_visible()
    expect(page.locator(".matrix tbody tr")).to_have_count(4)
    walker.look("group")
    page.get_by_role("link", name="Why here?").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("These two are one story")
    expect(page.get_by_role("table")).to_contain_text("phrases common to both")
    expect(page.get_by_role("heading", name="Which threshold would change this")).to_be_visible()
    walker.look("explain")
    page.get_by_label("Id of the second").fill(f"{EVIL}1")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("These two are two stories")
    expect(page.locator(".side").last).to_contain_text("<script>alert('x')</script>")
    walker.speak("zh")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("这两篇是两则报道")
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    page.get_by_label("搜索报道").fill("没有这个词")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="没有找到结果")).to_be_visible()
    walker.look("nothing")


def _correct(walker: Walker, url: str, engine: Engine) -> None:
    """Part a copy from its story, join another one, make it the head, and take everything back."""
    page = walker.page
    page.goto(f"{url}/?q=storm")
    page.get_by_role("article").first.get_by_role("link", name="Permalink").click()
    expect(page.get_by_role("button", name="Not this story")).to_have_count(0)
    page.get_by_role("link", name="Log in").click()
    expect(page.get_by_label("Your token")).to_be_focused()  # what is typed sooner goes elsewhere
    page.keyboard.type(TOKEN)
    page.keyboard.press("Enter")

    page.get_by_role("button", name="Not this story").last.click()
    expect(page.locator(".corrections")).to_contain_text("are kept apart, by ann")
    # whether the others stay with the first copy or go with this one depends on which was crawled first
    expect(page.locator(".matrix tbody tr")).not_to_have_count(4)
    page.get_by_label("The same story as").fill(f"{EVIL}0")
    page.get_by_role("button", name="Keep together").click()
    expect(page.locator(".corrections")).to_contain_text("are kept together, by ann")
    expect(page.locator("main")).to_contain_text("<script>alert('x')</script>")
    joined = page.locator(".sites .members li").filter(has_text="onerror").first
    joined.get_by_role("button", name="Make it the head").click()
    expect(page.locator(".corrections")).to_contain_text("is the head of its story")
    assert engine.get([f"{EVIL}0"])[f"{EVIL}0"].is_head
    walker.look("correcting")
    page.get_by_label("The same story as").fill(f"{EVIL}0")
    page.get_by_role("button", name="Keep together").click()
    expect(page.get_by_role("alert")).to_contain_text("kept together already, by correction 2")
    page.go_back()

    page.get_by_role("link", name="All corrections").click()
    walker.look("corrections")
    for number in (1, 2, 3):
        page.get_by_role("button", name=f"Undo correction {number}").click()
    expect(page.locator(".log")).to_contain_text("undoes correction 3")
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    page.get_by_role("button", name="Log out").click()
    page.goto(f"{url}/?q=storm")
    expect(page.get_by_role("article").first.locator(".size")).to_have_text("4 copies")


def _label(walker: Walker, engine: Engine, folder: Path) -> None:
    """Answer by keyboard whether documents are news and pairs one event, then see who answered."""
    page = walker.page
    rules, plan = Rules(wanted=1, alone=True, honeypots=0), Plan(pairs=3, window=ALL)
    store = project(folder / "labels.db", engine, rules, plan)
    with labelling(store) as port:
        page.goto(f"http://127.0.0.1:{port}/")
        expect(page.get_by_label("Your name")).to_be_focused()
        page.keyboard.type("Ann")
        page.keyboard.press("Enter")
        page.get_by_role("link", name="Begin").click()
        page.wait_for_url("**/label/news")  # and for its script, without which no key answers
        first = _answer(walker, store, "2")  # a mistake
        page.keyboard.press("u")
        expect(page.locator(f'#item[data-item="{first}"]')).to_be_visible()
        page.wait_for_load_state()
        while page.locator("#item[data-item]").count():
            _answer(walker, store, "1")
        expect(page.get_by_text("Nothing to do for you here")).to_be_visible()
        page.get_by_role("link", name="Pairs").click()
        page.wait_for_url("**/label/pairs")
        walker.look("pair")
        page.wait_for_load_state()
        while page.locator("#item[data-item]").count():
            _answer(walker, store, "")
        page.get_by_role("link", name="Quality").click()
        expect(page.get_by_role("row", name="Ann")).to_be_visible()
        walker.look("quality")
    assert len(store.board().answers) == len(store.board().items)


def _answer(walker: Walker, store: LabelStore, key: str) -> str:
    """Answer the item that is shown by a key, the right one if none is given, and wait for the next item."""
    shown = walker.page.locator("#item").get_attribute("data-item") or ""
    item = store.board().items[shown]
    walker.page.keyboard.press(key or ("1" if item.jaccard > 0.3 else "4"))
    expect(walker.page.locator(f'#item[data-item="{shown}"]')).to_have_count(0)
    return shown
