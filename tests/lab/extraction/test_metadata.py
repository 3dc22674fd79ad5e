"""Titles, dates and authors against gold."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from content.pages import news_page
from dupgroups_lab.extraction.metadata import Described, Row
from dupgroups_lab.labels.pages import LabelledPage
from lab.packs import write_pack
from lab.running import run


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


def test_the_table_has_a_line_for_every_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "trafilatura", None)
    monkeypatch.setitem(sys.modules, "newspaper", None)
    html = "<meta name=date content=2026-03-04>" + news_page().replace("<body>", "<body><!-- -->")
    page = {"html": html, "date": "2026-03-04", "title": "another"}
    lines = run(
        "evaluate", "metadata", write_pack(tmp_path / "made", [page, {**page, "page_type": "other"}])
    ).stdout.splitlines()
    ours = next(line for line in lines if line.startswith("made dup-groups")).split()
    assert ours[2:9] == ["1", "1", "1/1", "1/1", "1/1", "0/1", "-"]
    for name in ("trafilatura", "newspaper4k"):
        assert ["made", name, "not", "installed"] in [line.split() for line in lines]
