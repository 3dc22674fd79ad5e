"""Somebody corrects a story with the buttons of its page, in a real browser; screenshots in test-output/."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.chromium import chromium
from browser.serving import serving
from browser.test_search_page import Reader
from dupgroups import Deduper, Page, open_engine
from stories import story
from test_flow_laws import groups

pytestmark = pytest.mark.browser

TOKEN = "a-token-of-ann-0123"
CHAIN = ["abcdefgh", "cdefghij", "efghijkl"]  # each is a copy of its neighbours, the ends are not


def news(place: int, parts: str, title: str) -> Page:
    text = "\n".join(story(part, 150) for part in parts)
    url = f"https://site{place}.example/news/{place}"
    return Page(id=f"doc{place}", url=url, title=title, text=text, date=f"2026-03-0{place + 1}")


def test_a_story_is_corrected_and_put_back_with_the_buttons_of_its_page(tmp_path: Path) -> None:
    with (
        closing(open_engine(f"sqlite:///{tmp_path / 'news.db'}")) as engine,
        chromium() as browser,
        serving(engine, tokens={"ann": TOKEN}) as site,
    ):
        titles = ["Ferry stuck in the harbour", "Ferry still stuck", "Ferry free again", "A quiet day"]
        Deduper(engine).add_all(
            news(place, parts, title)
            for place, (parts, title) in enumerate(zip([*CHAIN, "mnop"], titles, strict=True))
        )
        context = browser.new_context(viewport={"width": 1200, "height": 850})
        reader = Reader(context.new_page())
        page = reader.page

        page.goto(f"{site.url}/groups/doc0")
        expect(page.get_by_role("button", name="Not this story")).to_have_count(0)
        page.get_by_role("link", name="Log in").click()
        expect(page.get_by_label("Your token")).to_be_focused()  # who types sooner is told of a lost autofocus
        page.keyboard.type(TOKEN)
        page.keyboard.press("Enter")

        expect(page.get_by_role("heading", level=1)).to_have_text("Ferry stuck in the harbour")
        free = page.get_by_role("listitem").filter(has_text="Ferry free again").last
        free.get_by_role("button", name="Not this story").click()
        expect(page.locator(".corrections")).to_contain_text("doc2 and doc0 are kept apart, by ann")
        expect(page.locator("main")).not_to_contain_text("Ferry free again")
        assert groups(engine)["doc2"] != "doc0"

        page.get_by_label("The same story as").fill(f"{site.url}/groups/doc3")
        page.get_by_role("button", name="Keep together").click()
        expect(page.locator("main")).to_contain_text("A quiet day")
        quiet = page.get_by_role("listitem").filter(has_text="A quiet day").last
        quiet.get_by_role("button", name="Make it the head").click()
        expect(page.locator(".corrections")).to_contain_text("doc3 is the head of its story")
        assert engine.get(["doc3"])["doc3"].is_head
        for name, width in (("phone", 390), ("desk", 1200)):
            page.set_viewport_size({"width": width, "height": 850})
            reader.screenshot(f"correcting-{name}")

        page.get_by_label("The same story as").fill("doc2")
        page.get_by_role("button", name="Keep together").click()
        expect(page.get_by_role("alert")).to_contain_text("correction 1 keeps")
        page.go_back()

        page.get_by_role("link", name="All corrections").click()
        reader.screenshot("corrections")
        for number in (1, 2, 3):
            page.get_by_role("button", name=f"Undo correction {number}").click()
        expect(page.locator(".log")).to_contain_text("undoes correction 3")
        expect(page.get_by_role("button", name="Undo")).to_have_count(0)
        assert groups(engine) == {"doc0": "doc0", "doc1": "doc0", "doc2": "doc0", "doc3": "doc3"}
        page.get_by_role("button", name="Log out").click()
        page.goto(f"{site.url}/groups/doc0")
        expect(page.get_by_role("link", name="Log in")).to_be_visible()
        assert [text for text in reader.complaints if "400" not in text] == []
        assert reader.dialogs == []
        context.close()
