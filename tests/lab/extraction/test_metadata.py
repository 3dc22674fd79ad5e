"""Titles, dates and authors against gold, by hand."""

from __future__ import annotations

import pytest

from dupgroups_lab.extraction.metadata import Described, Row
from dupgroups_lab.labels.pages import LabelledPage


def labelled(html: str = "", **gold: str) -> LabelledPage:
    return LabelledPage("1", "made", "a.example", None, "en", "article", html, None, **gold)


@pytest.mark.parametrize(
    ("found", "same", "near", "dated"),
    [
        ("2026-03-04T10:05:00", 1, 1, 1),
        ("2026-03-07", 0, 1, 1),
        ("2026-03-08", 0, 0, 1),
        ("", 0, 0, 0),
    ],
)
def test_dates_are_compared_by_day(found: str, same: int, near: int, dated: int) -> None:
    row = Row()
    row.add(labelled(date="2026-03-04 08:00:00+00:00"), Described("", found, ""), 0.5)
    assert (row.same, row.near, row.dated, row.gold_dates) == (same, near, dated, 1)
    assert (row.pages, row.gold_titles, row.gold_authors, row.seconds) == (1, 0, 0, 0.5)


def test_titles_and_authors_are_compared_by_letters() -> None:
    row = Row()
    gold = labelled(title="“Ferry” hits pier", author="Jo Brandt")
    row.add(gold, Described('"Ferry" hits Pier', "", "Jo Brandt, Al Lee"), 0.0)
    assert (row.titles, row.gold_titles, row.authors, row.gold_authors, row.dates) == (1, 1, 0, 1, 0)
