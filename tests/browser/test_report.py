"""A report of evaluation, opened from its file in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.chromium import Reader
from dupgroups_lab.extraction.run import Extracted, Time
from dupgroups_lab.extraction.scores import BlockHits
from dupgroups_lab.labels.pages import LabelledPage
from dupgroups_lab.measures.shingle_agreement import Agreement
from dupgroups_lab.reports.extraction import html_report


def extracted(pack: str) -> Extracted:
    page = LabelledPage("p" * 90, pack, "site", None, "en", "article", "", "The ferry sank. It rained.")
    hits = BlockHits(right=3, wrong=1, missed=0)
    return Extracted(
        page, "The ferry swam. It rained.", Agreement(0.5, 0.75, 0.6), hits, Time(3e-3, 2e-3, 1e-3)
    )


@pytest.mark.browser
def test_a_report_fits_every_screen_and_shows_what_differs(tmp_path: Path, reader: Reader) -> None:
    found = [extracted("one"), extracted("two")]
    file = tmp_path / "report.html"
    file.write_text(html_report({"auto": found, "mss": found}), encoding="utf-8")
    page, asked = reader.page, []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    assert reader.fits
    page.locator("summary").first.click()
    expect(page.locator("details[open] del")).to_have_text("sank")
    expect(page.locator("details[open] ins")).to_have_text("swam")
    assert page.locator("svg").count() == 4
    expect(page.locator("rect").first).to_be_visible()
    assert page.evaluate("getComputedStyle(document.querySelector('rect')).fill") != "rgb(0, 0, 0)"
    assert asked == [file.as_uri()]
