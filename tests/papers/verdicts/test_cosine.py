"""The judge of weighted words."""

from __future__ import annotations

import numpy as np
import pytest

from dupgroups.model import Record, Relation
from dupgroups_papers.codecs.vector_codec import pack
from dupgroups_papers.verdicts.cosine import CosineSimilarity
from methods.verdicts.records import hashes, judged, record


def words(start: int, *weights: float) -> Record:
    return record(pack(hashes(start, start + len(weights)), np.array(weights)))


@pytest.mark.parametrize(
    ("judge", "relation", "score"),
    [  # the cosine is 0.5
        (CosineSimilarity(), "different", 0.25 / 0.87),
        (CosineSimilarity(threshold=0.5, near=0.5), "duplicate", 0.5),
        (CosineSimilarity(threshold=0.4, near=0.1), "duplicate", 0.5 + 0.05 / 0.6),
        (CosineSimilarity(threshold=0.8, near=0.5), "near", 0.25 / 0.8),
        (CosineSimilarity(threshold=0.8, near=0.51), "different", 0.25 / 0.8),
    ],
)
def test_the_rule(judge: CosineSimilarity, relation: Relation, score: float) -> None:
    verdict = judged(judge, words(0, 1, 1), words(1, 1, 1))
    assert (verdict.relation, verdict.score) == (relation, pytest.approx(score))
    needed = f"{judge.threshold:.2f}"
    assert verdict.reason == f"The cosine of their weighted words is 0.50 (a copy needs {needed})."
