"""The judge of bit strings."""

from __future__ import annotations

import pytest

from dupgroups_papers.verdicts.hamming import Hamming
from methods.verdicts.records import judged, record


@pytest.mark.parametrize(
    ("judge", "differ", "relation", "score"),
    [  # the thresholds of the paper are the defaults
        (Hamming(), 0, "duplicate", 1.0),
        (Hamming(), 3, "duplicate", 0.5),
        (Hamming(), 4, "near", 0.4918),
        (Hamming(), 8, "near", 0.459),
        (Hamming(), 9, "different", 0.4508),
        (Hamming(), 64, "different", 0.0),
        (Hamming(distance=0, near=0), 0, "duplicate", 1.0),
        (Hamming(distance=99, near=99), 64, "duplicate", 0.5),
    ],
)
def test_the_rule(judge: Hamming, differ: int, relation: str, score: float) -> None:
    one, two = (record(bits.to_bytes(8, "big")) for bits in (0, (1 << differ) - 1))
    verdict = judged(judge, one, two)
    assert (verdict.relation, verdict.score) == (relation, pytest.approx(score, abs=1e-4))
    assert verdict.reason == f"{differ} of 64 bits differ (a copy may differ in {judge.distance})."
