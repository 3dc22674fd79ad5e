"""Two texts side by side: what only one of them has is marked."""

from __future__ import annotations

import re

import pytest

from dupgroups_lab.reports.page import comparison
from stories import story

TEXT = story("one")


@pytest.mark.parametrize(
    ("one", "two", "deleted", "inserted"),
    [
        (TEXT, TEXT.replace("\n", " Really so.\n", 1), [], ["Really so."]),
        ("It left at nine with all aboard.", "It left at ten with all aboard.", ["nine "], ["ten "]),
        ("渡輪撞上碼頭。", "渡轮撞上码头。", [], []),  # traditional and simplified script
    ],
)
def test_what_changed_is_marked(one: str, two: str, deleted: list[str], inserted: list[str]) -> None:
    page = comparison("", "", ("", ""), (one, two))
    assert re.findall("<del>(.*?)</del>", page) == deleted
    assert re.findall("<ins>(.*?)</ins>", page) == inserted
