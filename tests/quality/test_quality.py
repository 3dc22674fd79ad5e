"""The table of what must not get worse, on the pages of the demo."""

import csv
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from quality.__main__ import FLOORS, check, fields_right, main, tomllib
from small_packs import write_small_packs


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """A folder with a pack, and with the same pack as a sample."""
    packs = tmp_path / "data" / "duplicates"
    packs.mkdir(parents=True)
    write_small_packs(packs)
    for name in ("demo-en", "demo-zh"):
        (packs / name / "pairs.csv").unlink()
    with (packs / "demo" / "pairs.csv").open(encoding="utf-8", newline="") as file:
        rows = [{**row, "weight": "2", "words": "90"} for row in csv.DictReader(file)]
    sample = packs / "sample"
    sample.mkdir()
    (sample / "docs.jsonl.gz").write_bytes((packs / "demo" / "docs.jsonl.gz").read_bytes())
    with (sample / "pairs.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return tmp_path


@pytest.mark.whole
def test_a_row_beyond_its_limit_ends_with_1(shared: Path, capfd: pytest.CaptureFixture[str]) -> None:
    limits, groups, pairs = shared / "floors.toml", "F1 of groups, demo", "F1 weighted, sample, all"
    for part, status in (("groups of demo$", 0), ("pairs of sample", 1)):
        limits.write_text(f'[floors]\n"{groups}" = 0.9\n[ceilings]\n"{pairs}" = -1.0\n', "utf-8")
        assert main([str(shared), "--only", part, "--floors", str(limits)]) == status
        printed = capfd.readouterr().out
        assert re.search(rf"\| {pairs if status else groups} \| (0\.9|1\.0)", printed)
        assert ("is above -1.0" in printed) == bool(status)


def test_a_limit_without_a_row_is_missed_only_in_the_whole_table() -> None:
    limits = {"floors": {"F1": 0.9}, "ceilings": {"bytes": 300}}
    assert check([("F1", 0.9)], limits, whole=False) == []
    assert check([("F1", 0.9)], limits, whole=True) == ["bytes: not measured"]
    assert check([("F1", 0.89996), ("bytes", 300)], limits, whole=True) == []  # as it is printed
    assert len(check([("F1", 0.8999), ("bytes", 301)], limits, whole=True)) == 2


def test_the_limits_are_of_different_rows() -> None:
    limits = tomllib.loads(FLOORS.read_text("utf-8"))
    assert limits.keys() == {"floors", "ceilings"}
    assert not limits["floors"].keys() & limits["ceilings"].keys()


FOUND = SimpleNamespace(
    title="T",
    author="",
    language="en",
    site=None,
    text="One two.\nThree.",
    date="2026-05-04T10:00",
    article=0.7,
)


@pytest.mark.parametrize(
    ("expected", "right"),
    [
        ({"title": "T", "author": ["A", ""], "site": "S"}, {"title": True, "author": True, "site": False}),
        ({"must": ["two. Three"], "must_not": ["Four"]}, {"text": True}),
        ({"must": ["Four"]}, {"text": False}),
        ({"must_not": ["One"]}, {"text": False}),
        ({"empty": True}, {"text": False}),
        ({"date": "2026-05-04", "article": True}, {"date": True, "article": True}),
        ({"date": [None, "2026-05-05"], "article": False}, {"date": False, "article": False}),
    ],
)
def test_a_field_is_right_as_a_reader_would_say(expected: dict[str, Any], right: dict[str, bool]) -> None:
    assert fields_right(expected, FOUND) == right
