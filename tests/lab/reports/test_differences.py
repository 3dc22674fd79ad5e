"""Two texts side by side: what changed is marked, what did not is folded."""

from __future__ import annotations

import re

import pytest

from dupgroups_lab.reports.differences import side_by_side
from stories import story

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
