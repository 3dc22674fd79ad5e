"""Labelling by keyboard and choosing a threshold, in a real browser; screenshots go to test-output/."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.chromium import chromium
from dupgroups_lab.labelling.model import Rules
from dupgroups_lab.labelling.store import LabelStore
from lab.labelling.client import labelling
from lab.labelling.projects import crawled, is_same, project

pytestmark = pytest.mark.browser

SCREENSHOTS = Path(__file__).parents[2] / "test-output"
KEYS = {"yes": "1", "same": "1", "different": "4"}


@pytest.fixture
def store(tmp_path: Path) -> LabelStore:
    return project(tmp_path / "labels.db", crawled(), Rules(wanted=1, alone=True, honeypots=0))


@pytest.fixture(params=["desk", "dark", "phone"])
def page(request: pytest.FixtureRequest, tmp_path: Path, store: LabelStore) -> Iterator[Page]:
    config = tmp_path / "news.toml"
    config.write_text("# ours\n")
    with labelling(crawled(), store, config=config) as port, chromium() as browser:
        context = browser.new_context(
            base_url=f"http://127.0.0.1:{port}",
            viewport={"width": 390 if request.param == "phone" else 1280, "height": 800},
            color_scheme="dark" if request.param == "dark" else "light",
        )
        page = context.new_page()
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto("/")
        page.get_by_label("Your name").fill("Ann")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="1. Is it news?")).to_be_visible()
        yield page
        assert complaints == []


def label(page: Page, store: LabelStore, count: int) -> None:
    """Answer so many items, rightly, by keyboard."""
    items = store.board().items
    for _ in range(count):
        item = items[page.locator("#item").get_attribute("data-item") or ""]
        answer = "yes" if item.phase == "news" else "same" if is_same(item.a, item.b) else "different"
        page.keyboard.press(KEYS[answer])
        expect(page.locator(f'#item[data-item="{item.key}"]')).to_have_count(0)


def shot(page: Page, request: pytest.FixtureRequest, name: str) -> None:
    SCREENSHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"label-{name}-{request.node.callspec.id}.png", caret="initial")
    width = page.viewport_size["width"] if page.viewport_size else 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_pairs_are_labelled_by_keyboard_and_a_threshold_is_chosen(
    page: Page, store: LabelStore, request: pytest.FixtureRequest
) -> None:
    documents = sum(item.phase == "news" for item in store.board().items.values())
    page.get_by_role("link", name="Begin").click()
    label(page, store, 3)
    third = page.locator("#item").get_attribute("data-item")
    page.keyboard.press("2")  # a mistake
    expect(page.locator(f'#item[data-item="{third}"]')).to_have_count(0)
    page.keyboard.press("u")
    expect(page.locator(f'#item[data-item="{third}"]')).to_be_visible()
    label(page, store, documents - 3)
    expect(page.get_by_text("Nothing to do for you here")).to_be_visible()
    assert {answer.answer for answer in store.board().answers} == {"yes"}

    page.goto("/label/pairs")
    shot(page, request, "pair")
    pairs = len(store.board().items) - documents
    label(page, store, pairs)
    assert len(store.board().answers) == documents + pairs

    page.get_by_role("link", name="Calibrate").click()
    page.get_by_label(re.compile("threshold", re.IGNORECASE)).last.fill("0.6")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("img", name="What a threshold does")).to_be_visible()
    expect(page.locator(".diff")).to_contain_text("threshold = 0.6")
    shot(page, request, "calibrate")
    page.get_by_role("button", name="Write this change").click()
    expect(page.get_by_text("The configuration is written.")).to_be_visible()


def test_an_answer_that_is_not_stored_is_not_passed_over_in_silence(page: Page) -> None:
    page.goto("/label/news")
    page.wait_for_load_state("networkidle")
    page.context.clear_cookies()  # as after the server lost its file
    page.keyboard.press("1")
    expect(page.get_by_role("alert")).to_contain_text("Your last answer may not be stored")
