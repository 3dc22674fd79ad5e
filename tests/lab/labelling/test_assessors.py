"""The quality of assessors: honeypots, agreement with the consensus."""

from __future__ import annotations

from dupgroups_lab.labelling.assessors import qualities
from dupgroups_lab.labelling.model import Answer
from lab.labelling.boards import pairs


def test_nobody_is_judged_by_few_honeypots() -> None:
    pots = pairs(*("a" + end for end in "bcdefghijk"), known="same")

    def is_trusted(right: int, wrong: int) -> bool:
        rows = ["same"] * right + ["different"] * wrong
        answers = [Answer(item.key, "Ann", row) for item, row in zip(pots, rows, strict=False)]
        return qualities({item.key: item for item in pots}, answers, {})["Ann"].trusted

    assert is_trusted(0, 4)
    assert not is_trusted(3, 2)
    assert is_trusted(7, 3)
    assert not is_trusted(6, 4)
