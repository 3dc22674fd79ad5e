"""The judge of weighted words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dupgroups.model import Record, Relation
from dupgroups_papers.codecs.vector_codec import pack
from dupgroups_papers.verdicts.cosine import CosineSimilarity
from verdicts.records import check_too_short, hashes, judged, record, refused


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
    assert verdict.relation == relation
    assert verdict.score == pytest.approx(score)


def test_the_reason_says_the_cosine() -> None:
    reason = "The cosine of their weighted words is 0.50 (a copy needs 0.87)."
    assert CosineSimilarity()(words(0, 1, 1), words(1, 1, 1)).reason == reason


def test_texts_without_features_are_too_short() -> None:
    check_too_short(CosineSimilarity(), words(0, 1.0))


@pytest.mark.parametrize("parameters", [{"near": 0.0}, {"near": 0.9}, {"threshold": 1.01}])
def test_wrong_parameters_are_refused(parameters: dict[str, Any]) -> None:
    refused(
        lambda: CosineSimilarity(**parameters),
        "near must be above 0, and threshold at least near and at most 1",
    )


def test_the_bounds_themselves_are_allowed() -> None:
    assert CosineSimilarity(threshold=1.0, near=1.0)
    assert CosineSimilarity(threshold=0.01, near=0.01)
