"""Titles, authors, dates and site names against gold."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from content.pages import news_page
from dupgroups_lab.extraction.declared_fields import Described, Row
from dupgroups_lab.labels.labelled_pages import LabelledPage
from lab.packs import write_pack
from lab.running import run

GOLD = LabelledPage(
    "1", "made", "kesselherald.example", None, "en", "article", "", None,
    title="“Ferry” hits pier", author="Jo Brandt, Al Lee", date="2026-03-04 08:00:00+00:00",
)  # fmt: skip


@pytest.mark.parametrize(
    ("field", "values", "equal", "close"),
    [
        ("title", ('"Ferry" hits Pier', "Ferry hits the pier", "Ferry"), 1, 1 + 6 / 7 + 1 / 2),
        ("author", ("Al Lee and jo brandt", "Jo Brandt", "Kessel Herald"), 1, 1 + 2 / 3),
        ("date", ("2026-03-04T10:05:00", "2026-03-07", "2026-03-08"), 1, 2),
        ("site", ("The Kessel Herald", "KH", "kesselherald.example", "Ferry hits pier"), 1, 1),
    ],
)
def test_each_field_has_its_own_rule(field: str, values: tuple[str, ...], equal: int, close: float) -> None:
    row = Row()
    for value in ("", *values):
        row.add(GOLD, Described(**{field: value}), 0.5)
    tally = row.fields[field]
    assert (tally.gold, tally.found, tally.equal) == (len(values) + 1, len(values), equal)
    assert tally.close == pytest.approx(close)


def test_a_library_that_is_not_installed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("trafilatura", "htmldate", "newspaper", "newsplease"):
        monkeypatch.setitem(sys.modules, module, None)
    html = "<meta name=date content=2026-03-04>" + news_page().replace("<body>", "<body><!-- -->")
    page = {"html": html, "date": "2026-03-04", "title": "another"}
    pack = write_pack(tmp_path / "made", [page, {**page, "page_type": "other"}])
    result = run("evaluate", "extraction", "--pack", str(pack), "--fields")
    ours = next(line for line in result.stdout.splitlines() if line.startswith("made, dup-groups")).split()
    assert ours[2:3] + ours[6:8] == ["0/1", "1/1", "1.000"]
    for name in ("trafilatura", "htmldate", "newspaper4k", "news-please"):
        assert f"{name} is not installed" in result.stderr
