"""`dup-groups evaluate metadata` as a user types it."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from content.pages import STORY, news_page
from dupgroups.cli import app
from dupgroups_lab.extraction.metadata import available_readers


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    html = news_page(story=STORY).replace("<body>", "<body><!-- -->")
    row = {
        "id": "1",
        "site": "a.example",
        "url": None,
        "lang": "en",
        "page_type": "article",
        "html": "<meta name=date content=2026-03-04>" + html,
        "text": None,
        "date": "2026-03-04",
        "title": "another",
    }
    folder = tmp_path / "made"
    folder.mkdir()
    with gzip.open(folder / "pages.jsonl.gz", "wt", encoding="utf-8") as lines:
        print(json.dumps(row), file=lines)
        print(json.dumps({**row, "page_type": "other"}), file=lines)
    return folder


def test_the_table_has_a_line_for_every_reader(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "trafilatura", None)
    monkeypatch.setitem(sys.modules, "newspaper", None)
    result = CliRunner().invoke(app, ["evaluate", "metadata", str(pack)])
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    ours = next(line for line in lines if line.startswith("made dup-groups")).split()
    assert ours[2:9] == ["1", "1", "1/1", "1/1", "1/1", "0/1", "-"]
    for name in ("trafilatura", "newspaper4k"):
        assert any(line.split() == ["made", name, "not", "installed"] for line in lines), result.stdout
    assert "ms a page." in lines[-1]


def test_a_reader_that_is_not_installed_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "newspaper", None)
    readers = available_readers()
    assert list(readers) == ["dup-groups", "trafilatura", "newspaper4k"]
    assert readers["newspaper4k"] is None
    assert readers["dup-groups"] is not None


def test_a_folder_that_is_not_a_pack_is_a_sentence(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["evaluate", "metadata", str(tmp_path)])
    assert result.exit_code != 0
    assert "is not a pack of labelled pages" in str(result.exception or result.output)
