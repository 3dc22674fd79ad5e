"""Two texts side by side: the paragraphs that both have."""

from __future__ import annotations

from dupgroups_lab.labelling.model import Shown
from dupgroups_lab.labelling.texts import LONGEST, columns
from stories import story


def test_paragraphs_of_both_are_marked() -> None:
    first, second, *_ = story("one").split("\n")
    edited = f"Yesterday {first}"
    left, right = columns(
        (Shown("a", f"{first}\nShort.\n\n{second}"), Shown("b", f"{edited}\nShort.\nOther."))
    )
    assert [paragraph.shared for paragraph in left.paragraphs] == [True, True, False]
    assert [paragraph.text for paragraph in right.paragraphs] == [edited, "Short.", "Other."]
    assert [paragraph.shared for paragraph in right.paragraphs] == [True, True, False]


def test_a_single_text_has_no_marks_and_a_long_one_is_cut() -> None:
    (column,) = columns((Shown("a", "x" * (LONGEST + 1)),))
    assert column.cut
    assert [len(paragraph.text) for paragraph in column.paragraphs] == [LONGEST]
    assert not column.paragraphs[0].shared
    assert columns((Shown("a", ""),))[0].paragraphs == ()
