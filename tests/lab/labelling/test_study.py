"""What has come of the answers: how the assessors agree."""

from __future__ import annotations

from pathlib import Path

from dupgroups_lab.labelling.model import Rules
from dupgroups_lab.labelling.store import LabelStore
from dupgroups_lab.labelling.study import Study
from lab.labelling.boards import news, pairs


def test_who_fails_at_honeypots_has_no_part_in_the_agreement(tmp_path: Path) -> None:
    pots = pairs("ab", "cd", "ef", "gh", "ij", known="same")
    store = LabelStore.create(tmp_path / "labels.db", Rules(wanted=2), [], [*pots, *news("x", "y")])
    for pot in pots:
        store.answer(pot.key, "Eve", "different")
    for key, answer, opposite in (("n:x", "yes", "no"), ("n:y", "no", "yes")):
        store.answer(key, "Ann", answer)
        store.answer(key, "Bob", answer)
        store.answer(key, "Eve", opposite)
    agreement = Study(store).agreement("news")
    assert (agreement.items, agreement.full) == (2, 2)
    assert (agreement.fleiss, agreement.alpha) == (1.0, 1.0)
    assert agreement.cohen == {("Ann", "Bob"): (2, 1.0)}
