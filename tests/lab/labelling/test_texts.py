"""Two texts side by side: the paragraphs that both have."""

from __future__ import annotations

from dupgroups_lab.labelling.model import Shown
from dupgroups_lab.labelling.texts import columns
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
