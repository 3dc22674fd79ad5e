"""Labelling by keyboard and choosing a threshold, in a real browser; screenshots go to test-output/."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from browser.chromium import chromium
from dupgroups_lab.labelling.drawing import Plan
from dupgroups_lab.labelling.model import Rules
from dupgroups_lab.labelling.store import LabelStore
from lab.labelling.client import labelling
from lab.labelling.projects import ALL, crawled, is_same, project

pytestmark = pytest.mark.browser

SCREENSHOTS = Path(__file__).parents[2] / "test-output"
KEYS = {"yes": "1", "same": "1", "different": "4"}
LOOKS: list[tuple[str, int, Literal["light", "dark"]]] = [
    ("desk", 1280, "light"),
    ("dark", 1280, "dark"),
    ("phone", 390, "light"),
]


class Assessor:
    """A page of the browser that notes every error and message of the console."""

    def __init__(self, page: Page, store: LabelStore) -> None:
        self.page, self.store = page, store
        self.complaints: list[str] = []
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def item(self) -> str:
        return self.page.locator("#item").get_attribute("data-item") or ""

    def press(self, key: str) -> None:
        """Answer by a key, and wait for the next item."""
        item = self.item()
        self.page.keyboard.press(key)
        expect(self.page.locator(f'#item[data-item="{item}"]')).to_have_count(0)

    def label(self, count: int) -> None:
        """Answer so many items, rightly."""
        items = self.store.board().items
        for _ in range(count):
            item = items[self.item()]
            answer = "yes" if item.phase == "news" else "same" if is_same(item.a, item.b) else "different"
            self.press(KEYS[answer])

    def look(self, name: str) -> None:
        """Screenshots on a desk, in the dark, and on a phone; nothing may be wider than the screen."""
        SCREENSHOTS.mkdir(exist_ok=True)
        for look, width, scheme in LOOKS:
            self.page.set_viewport_size({"width": width, "height": 800})
            self.page.emulate_media(color_scheme=scheme)
            # hiding the caret would need an inline style, which the page forbids
            self.page.screenshot(path=SCREENSHOTS / f"label-{name}-{look}.png", caret="initial")
            assert self.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.fixture
def assessor(tmp_path: Path) -> Iterator[Assessor]:
    engine, config = crawled(3, 2), tmp_path / "news.toml"
    config.write_text("# ours\n")
    rules, plan = Rules(wanted=1, alone=True, honeypots=0), Plan(pairs=3, window=ALL)
    store = project(tmp_path / "labels.db", engine, rules, plan)
    with labelling(engine, store, config=config) as port, chromium() as browser:
        yield Assessor(browser.new_page(base_url=f"http://127.0.0.1:{port}"), store)


def test_pairs_are_labelled_by_keyboard_and_a_threshold_is_chosen(assessor: Assessor, tmp_path: Path) -> None:
    page, store = assessor.page, assessor.store
    page.goto("/")
    expect(page.get_by_label("Your name")).to_be_focused()
    page.keyboard.type("Ann")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Begin").click()
    page.wait_for_url("**/label/news")  # and for its script, without which no key answers
    assessor.label(2)
    third = assessor.item()
    assessor.press("2")  # a mistake
    page.keyboard.press("u")
    expect(page.locator(f'#item[data-item="{third}"]')).to_be_visible()
    page.wait_for_load_state()
    assessor.label(4)
    expect(page.get_by_text("Nothing to do for you here")).to_be_visible()
    assert [answer.answer for answer in store.board().answers] == ["yes"] * 6

    page.get_by_role("link", name="Pairs").click()
    page.wait_for_url("**/label/pairs")
    assessor.look("pair")
    assessor.label(3)
    expect(page.get_by_text("Nothing to do for you here")).to_be_visible()
    page.get_by_role("link", name="Calibrate").click()
    page.get_by_label("Threshold", exact=True).fill("0.6")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("img", name="What a threshold does")).to_be_visible()
    expect(page.locator(".diff")).to_contain_text("threshold = 0.6")
    assessor.look("calibrate")
    page.get_by_role("button", name="Write this change").click()
    expect(page.get_by_text("The configuration is written.")).to_be_visible()
    assert (tmp_path / "news.toml").read_text().startswith("# ours\n")
    assert assessor.complaints == []
    assert len(store.board().answers) == 9


def test_an_answer_that_is_not_stored_is_not_passed_over_in_silence(assessor: Assessor) -> None:
    page = assessor.page
    page.goto("/")
    expect(page.get_by_label("Your name")).to_be_focused()
    page.keyboard.type("Ann")
    page.keyboard.press("Enter")
    with page.expect_response(lambda response: "after=" in response.url):  # the next item, loaded ahead
        page.get_by_role("link", name="Begin").click()
    page.context.clear_cookies()
    page.keyboard.press("1")
    expect(page.get_by_role("alert")).to_contain_text("Your last answer may not be stored")
    assert assessor.store.board().answers == []
