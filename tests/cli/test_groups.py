"""`dup-groups groups`: the group of every document as a table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pyarrow import parquet

from commands import cli, error, news
from dupgroups import Page
from dupgroups.cli import tables
from stories import story

ROWS = [
    {"id": "a", "group": "a", "size": 2, "head": True},
    {"id": "c", "group": "a", "size": 2, "head": False},
    {"id": "b", "group": "b", "size": 1, "head": True},
]
CSV = "id,group,size,head\na,a,2,true\nc,a,2,false\nb,b,1,true\n"


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A file with two copies of a story, and another story."""
    return news(tmp_path, [Page(id=id_, text=story(text)) for id_, text in zip("abc", "121", strict=True)])


def test_the_name_of_the_file_says_the_format(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "ROWS", 2)  # more than one piece
    csv, jsonl, table = (tmp_path / f"groups.{end}" for end in ("csv", "jsonl", "parquet"))
    for out in (csv, jsonl, table):
        assert cli("groups", "--engine", url, "--out", out).stdout == "3 documents in 2 groups\n"
    assert csv.read_text() == CSV
    assert [json.loads(line) for line in jsonl.read_text().splitlines()] == ROWS
    assert parquet.read_table(table).to_pylist() == ROWS


def test_results_and_counts_go_to_standard_output(url: str, tmp_path: Path) -> None:
    assert cli("groups", "--engine", url).stdout == CSV
    counts = cli("groups", "--engine", url, "--out", tmp_path / "groups.csv", "--json").stdout
    assert json.loads(counts) == {"documents": 3, "groups": 2}
    assert "name a file for the groups with --out" in error("groups", "--engine", url, "--json")
    assert ".csv, .jsonl or .parquet" in error("groups", "--engine", url, "--out", tmp_path / "groups.xlsx")
