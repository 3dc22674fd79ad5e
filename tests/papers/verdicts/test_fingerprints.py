"""The judge of fingerprints that agree."""

from __future__ import annotations

import pytest

from dupgroups.model import Record, Relation
from dupgroups_papers.verdicts.fingerprints import Fingerprints
from methods.verdicts.records import judged, record


def prints(*values: int) -> Record:
    return record(b"".join(value.to_bytes(8, "big") for value in values))


@pytest.mark.parametrize(
    ("least", "a", "b", "relation", "score"),
    [
        (1, (1,), (1,), "duplicate", 1.0),
        (1, (1,), (2,), "different", 0.0),
        (1, (1, 2, 3, 4), (1, 5, 6, 7), "duplicate", 0.5),
        (1, (1, 2, 3, 4), (1, 2, 6, 7), "duplicate", 0.5 + 0.5 * (1 / 4) / (3 / 4)),
        (2, (1, 2, 3, 4), (1, 5, 6, 7), "different", 0.25),
        (2, (1, 0, 0), (1, 0, 0), "duplicate", 1.0),  # all that either has
        (1, (1, 0, 3), (2, 0, 0), "different", 0.0),  # a fingerprint of zeros agrees with nothing
        (1, (1, 2, 0), (1, 0, 3), "duplicate", 0.5),  # one of three places where either has one
    ],
)
def test_the_rule(
    least: int, a: tuple[int, ...], b: tuple[int, ...], relation: Relation, score: float
) -> None:
    verdict = judged(Fingerprints(least), prints(*a), prints(*b))
    assert (verdict.relation, verdict.score) == (relation, pytest.approx(score))


def test_the_reason_counts_and_one_is_enough_by_default() -> None:
    reason = Fingerprints()(prints(1, 2, 0), prints(1, 3, 0)).reason
    assert reason == "1 of 2 fingerprints agree (a copy needs 1)."
