"""What the labelling page does when an answer cannot be stored; `test_journey` has the way through it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from dupgroups_lab.labelling.drawing import Plan
from dupgroups_lab.labelling.model import Rules
from lab.labelling.client import labelling
from lab.labelling.projects import ALL, crawled, project

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Your last answer may not be stored (the server answered 403)"),
        ("zh", "您的上一个回答可能未保存（"),
    ],
)
def test_an_answer_that_is_not_stored_is_not_passed_over_in_silence(
    tmp_path: Path, browser: Browser, language: str, sentence: str
) -> None:
    engine = crawled(3, 2)
    store = project(tmp_path / "labels.db", engine, Rules(1, alone=True, honeypots=0), Plan(3, window=ALL))
    with labelling(store) as port:
        page = browser.new_page(base_url=f"http://127.0.0.1:{port}", locale=language)
        page.goto("/")
        expect(page.locator("input[name=name]")).to_be_focused()
        page.keyboard.type("Ann")
        page.keyboard.press("Enter")
        with page.expect_response(lambda response: "after=" in response.url):  # the next item, loaded ahead
            page.locator(".button").first.click()
        page.context.clear_cookies()
        page.keyboard.press("1")
        expect(page.get_by_role("alert")).to_contain_text(sentence)
        assert store.board().answers == []
