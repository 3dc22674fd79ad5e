"""The quality of assessors: honeypots, agreement with the consensus."""

from __future__ import annotations

from dupgroups_lab.labelling.assessors import qualities
from dupgroups_lab.labelling.model import Answer
from lab.labelling.boards import board, news, pairs


def test_honeypots_and_consensus_are_counted_by_event() -> None:
    items = [*pairs("ab", known="same"), *pairs("cd", known="different"), *pairs("ef"), *news("e", "f")]
    now = board(
        items, "Ann p:ab same-a", "Ann p:cd same", "Ann p:ef same", "Bob p:ef same", "Bob n:e yes",
    )  # fmt: skip
    found = qualities(now.items, now.answers, now.decisions)
    assert list(found) == ["Ann", "Bob"]
    ann, bob = found["Ann"], found["Bob"]
    assert (ann.answers, ann.known, ann.right, ann.decided, ann.agreed) == (3, 2, 1, 1, 1)
    assert (bob.answers, bob.known, bob.decided) == (2, 0, 1)
    assert ann.trusted
    assert bob.trusted


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
