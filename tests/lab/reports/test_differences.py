"""Two texts side by side: what changed is marked, what did not is folded."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups_lab.reports.differences import side_by_side
from stories import story


@given(st.text(), st.text())
def test_both_texts_can_be_read_from_the_diff(one: str, two: str) -> None:
    table = ElementTree.fromstring(f"<t>{_legal(side_by_side(_legal(one), _legal(two)))}</t>")
    rows = [["".join(cell.itertext()) for cell in row] for row in table]
    if all(len(row) == 2 for row in rows):  # nothing is collapsed
        for column, text in enumerate((one, two)):
            assert _bare("".join(row[column] for row in rows)) == _bare(_legal(text))


def _legal(text: str) -> str:
    """Without what XML cannot hold."""
    return re.sub("[^\n\x20-\ud7ff\ue000-\ufffd]", "", text)


def _bare(text: str) -> str:
    return "".join(text.split())


TEXT = story("one")


@pytest.mark.parametrize(
    ("one", "two", "deleted", "inserted"),
    [
        (TEXT, TEXT.replace("\n", " Really so.\n", 1), [], ["Really so."]),
        ("It left at nine with all aboard.", "It left at ten with all aboard.", ["nine"], ["ten"]),
        ("渡輪撞上碼頭。", "渡轮撞上码头。", [], []),  # traditional and simplified script
    ],
)
def test_what_changed_is_marked(one: str, two: str, deleted: list[str], inserted: list[str]) -> None:
    rows = side_by_side(one, two)
    assert re.findall("<del>(.*?)</del>", rows) == deleted
    assert re.findall("<ins>(.*?)</ins>", rows) == inserted
    assert ("3 equal sentences" in rows) is (one == TEXT)


def test_long_runs_without_a_stop_are_marked_whole() -> None:
    one, two = (f"{end} " + "word " * 20_000 for end in "ab")
    rows = side_by_side(one, two)
    assert rows.count("<del>") == rows.count("<ins>") == 1
