"""`dup-groups evaluate metadata` as a user types it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from content.pages import news_page
from lab.packs import write_pack
from lab.running import run


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
    assert "ms a page." in lines[-1]
