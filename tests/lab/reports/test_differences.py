"""Two texts side by side: what changed, and the paragraphs that both have, are marked."""

from __future__ import annotations

import re

import pytest

from dupgroups_lab.labelling.model import Shown
from dupgroups_lab.labelling.texts import columns
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


def test_paragraphs_of_both_are_marked() -> None:
    first, second, *_ = story("one").split("\n")
    edited = f"Yesterday {first}"
    left, right = columns(
        (Shown("a", f"{first}\nShort.\n\n{second}"), Shown("b", f"{edited}\nShort.\nOther."))
    )
    assert [paragraph.shared for paragraph in left.paragraphs] == [True, True, False]
    assert [paragraph.text for paragraph in right.paragraphs] == [edited, "Short.", "Other."]
    assert [paragraph.shared for paragraph in right.paragraphs] == [True, True, False]
