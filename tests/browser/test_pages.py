"""What only a browser shows of the pages beside the journey: copies, keys, and answers that are lost."""

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.reader import Reader
from browser.serving import serving, serving_documents
from browser.stories import stories
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.flow.deduper import Deduper
from dupgroups_lab.labelling.drawing import Plan
from dupgroups_lab.labelling.model import Rules
from lab.labelling.client import labelling
from lab.labelling.projects import ALL, crawled, project
from stories import story

pytestmark = pytest.mark.browser


@contextmanager
def reading(browser: Browser) -> Iterator[Page]:
    """A page without a complaint; it closes while what it loads is still served."""
    reader = Reader(browser.new_page())
    yield reader.page
    reader.page.close()
    assert [text for text in reader.complaints if "403" not in text] == reader.dialogs == []


def test_a_pasted_text_finds_its_copies_and_is_compared_with_one(browser: Browser) -> None:
    text = "\n".join(map(story, "ab"))
    with closing(SQLiteEngine()) as engine:
        Deduper(engine).add_all([{"id": "whole", "title": "The whole", "text": text}, {"text": story("b")}])
        with serving(engine) as site, reading(browser) as page:
            page.goto(site.url)
            page.get_by_text("Find copies of a text").click()
            page.get_by_label("Paste a text or an address").fill(text)
            page.get_by_role("button", name="Find copies").click()
            expect(page.get_by_role("status")).to_contain_text("2 documents have this text")
            page.get_by_role("button", name="Compare both texts").first.click()
            expect(page.get_by_role("heading", level=1)).to_have_text("These two are one story")
            expect(page.get_by_label("Paste a text or an address")).to_have_value(text)
            page.set_viewport_size({"width": 390, "height": 850})
            page.get_by_role("button", name="Find copies").click()
            root = "document.documentElement"
            assert page.evaluate(f"{root}.scrollWidth <= {root}.clientWidth"), "it fits a phone"


def test_the_keys_reach_hits_before_filters_and_show_where_they_are(browser: Browser) -> None:
    """The places of a Tab walk are in the order of the eye, on a desk and on a phone."""
    with serving_documents(stories()) as site, reading(browser) as page:
        page.goto(f"{site.url}/?q=ferry")
        page.locator("#q").focus()
        expect(page.locator(".search")).to_have_css("box-shadow", re.compile(r"0px 0px 0px 2px"))
        reached = []
        while "filter" not in reached and len(reached) < 99:
            page.keyboard.press("Tab")
            reached.append(page.evaluate(
                "document.activeElement.closest('.facets') ? 'filter' :"
                "document.activeElement.closest('.hit') ? 'hit' : 'other'"
            ))  # fmt: skip
        assert "hit" in reached
        assert reached[-1] == "filter"
        bar = page.locator(".chart a:focus .room")
        expect(bar).not_to_have_css("stroke", "none")
        page.set_viewport_size({"width": 400, "height": 800})
        expect(page.locator(".chart")).to_be_hidden()
        page.get_by_text("Filters").click()
        expect(page.locator(".chart")).to_be_visible()
        tops = [page.locator(where).bounding_box()["y"] for where in (".facets", ".hits")]  # type: ignore[index]
        assert tops[0] < tops[1]


def test_documents_are_labelled_by_keys_and_an_answer_that_is_not_stored_is_not_passed_over(
    tmp_path: Path, browser: Browser
) -> None:
    rules, plan = Rules(1, alone=True, honeypots=0), Plan(3, window=ALL)
    store = project(tmp_path / "labels.db", crawled(3, 2), rules, plan)
    with labelling(store) as port, reading(browser) as page:
        page.goto(f"http://127.0.0.1:{port}/")
        expect(page.get_by_label("Your name")).to_be_focused()
        page.keyboard.type("Ann")
        page.keyboard.press("Enter")
        with page.expect_response(lambda response: "after=" in response.url):  # the next item, loaded ahead
            page.get_by_role("link", name="Begin").click()
        first = page.locator(f'#item[data-item="{page.locator("#item").get_attribute("data-item")}"]')
        page.keyboard.press("2")  # a mistake
        expect(first).to_have_count(0)
        page.keyboard.press("u")
        expect(first).to_be_visible()
        page.wait_for_load_state("networkidle")
        assert store.board().answers == []
        page.context.clear_cookies()
        page.keyboard.press("1")
        sentence = "Your last answer may not be stored (the server answered 403)"
        expect(page.get_by_role("alert")).to_contain_text(sentence)
        assert store.board().answers == []
