"""One supershingle in common suffices."""

from __future__ import annotations

import numpy as np
import pytest

from dupgroups.model import Relation
from dupgroups_papers.codecs.set_codec import pack_minima, pack_sample
from dupgroups_papers.verdicts.shared_supershingles import Supershingles
from methods.verdicts.records import hashes, judged, record


@pytest.mark.parametrize(
    ("judge", "first", "relation", "score"),
    [
        (Supershingles(), 0, "duplicate", 1.0),
        (Supershingles(), 8, "duplicate", 0.5),  # two members in a row: one of nine runs of two
        (Supershingles(), 9, "different", 0.0),  # one member
        (Supershingles(least=2), 8, "different", 0.25),
        (Supershingles(least=2), 7, "duplicate", 0.5),
        (Supershingles(size=10), 0, "duplicate", 1.0),
        (Supershingles(size=11), 0, "different", 0.0),  # smaller than a supershingle, they have none
    ],
)
def test_the_runs_of_a_sample(judge: Supershingles, first: int, relation: Relation, score: float) -> None:
    one, two = (record(pack_sample(hashes(start, start + 10))) for start in (0, first))
    verdict = judged(judge, one, two)
    assert (verdict.relation, verdict.score) == (relation, pytest.approx(score))


@pytest.mark.parametrize(
    ("values", "relation"),
    [
        ([hashes(0, 2), hashes(9, 13)], "duplicate"),
        ([hashes(9, 10), hashes(1, 3), hashes(10, 13)], "different"),
        ([hashes(9, 11), hashes(0, 2), hashes(12, 14)], "different"),
    ],
    ids=["one run", "across runs", "elsewhere"],
)
def test_the_runs_of_min_values_are_disjoint_and_stand_at_one_place(
    values: list[np.ndarray], relation: Relation
) -> None:
    one, two = (record(pack_minima(minima, 6)) for minima in (hashes(0, 6), np.concatenate(values)))
    assert judged(Supershingles(), one, two).relation == relation
