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


def test_dates_are_compared_by_day_and_names_by_letters() -> None:
    row = Row()
    gold = labelled(title="“Ferry” hits pier", author="Jo Brandt", date="2026-03-04 08:00:00+00:00")
    for found in ("2026-03-04T10:05:00", "2026-03-07", "2026-03-08", ""):
        row.add(gold, Described('"Ferry" hits Pier', found, "Jo Brandt, Al Lee"), 0.5)
    assert (row.same, row.near, row.dated, row.gold_dates) == (1, 2, 3, 4)
    assert (row.titles, row.gold_titles, row.authors, row.gold_authors, row.dates) == (4, 4, 0, 4, 3)


def test_the_table_has_a_line_for_every_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "trafilatura", None)
    monkeypatch.setitem(sys.modules, "newspaper", None)
    html = "<meta name=date content=2026-03-04>" + news_page().replace("<body>", "<body><!-- -->")
    page = {"html": html, "date": "2026-03-04", "title": "another"}
    lines = run(
        "evaluate", "metadata", write_pack(tmp_path / "made", [page, {**page, "page_type": "other"}])
    ).stdout.splitlines()
    ours = next(line for line in lines if line.startswith("made, dup-groups")).split()
    assert ours[2:9] == ["1", "1", "1/1", "1/1", "1/1", "0/1", "-"]
    for name in ("trafilatura", "newspaper4k"):
        assert ["made,", name, "not", "installed"] in [line.split()[:4] for line in lines]
