"""From answers to decisions: majorities, ties, and whose answers count."""

from __future__ import annotations

from pathlib import Path

import pytest

from dupgroups_lab.labelling.consensus import consensus, qualities
from dupgroups_lab.labelling.model import Answer, Rules
from dupgroups_lab.labelling.store import LabelStore
from dupgroups_lab.labelling.study import Study
from lab.labelling.boards import news, pairs


@pytest.mark.parametrize(
    ("answers", "state", "answer"),
    [
        ("yes yes", "open", ""),
        ("yes yes no", "decided", "yes"),
        ("yes no unknown", "disputed", ""),
        ("yes yes no no", "disputed", ""),
        ("same same-a same", "decided", "same"),
        ("same-a same-a different", "decided", "same-a"),
        ("same same-a different", "disputed", ""),  # the same event, but which tells more?
        ("different different same-b", "decided", "different"),
        ("language language other", "decided", "language"),
    ],
)
def test_three_answers_are_wanted(answers: str, state: str, answer: str) -> None:
    decision = consensus(tuple(answers.split()), 3)
    assert (decision.state, decision.answer) == (state, answer)


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


def test_who_fails_at_honeypots_has_no_part_in_the_agreement(tmp_path: Path) -> None:
    pots = pairs("ab", "cd", "ef", "gh", "ij", known="same")
    store = LabelStore.create(tmp_path / "labels.db", Rules(wanted=2), [], [*pots, *news("x", "y")])
    for pot in pots:
        store.answer(pot.key, "Eve", "different")
    for key, answer, opposite in (("n:x", "yes", "no"), ("n:y", "no", "yes")):
        store.answer(key, "Ann", answer)
        store.answer(key, "Bob", answer)
        store.answer(key, "Eve", opposite)
    assert Study(store).agreement("news") == (2, 1.0)
