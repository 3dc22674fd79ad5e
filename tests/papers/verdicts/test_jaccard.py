"""The judge of sets, and with it the rule of all judges by shares."""

from __future__ import annotations

from typing import Any

import pytest

from dupgroups.model import Record, Relation
from dupgroups_papers.codecs.set_codec import pack_sample
from dupgroups_papers.verdicts.jaccard import Jaccard
from dupgroups_papers.verdicts.share import ShareJudge, graded
from verdicts.records import check_too_short, hashes, judged, record, refused


def members(start: int, stop: int) -> Record:
    return record(pack_sample(hashes(start, stop)))


@pytest.mark.parametrize(
    ("judge", "a", "b", "relation", "score"),
    [
        (Jaccard(), (0, 10), (0, 10), "duplicate", 1.0),
        (Jaccard(), (0, 7), (3, 10), "duplicate", 0.5),  # 4 of 10
        (Jaccard(), (0, 100), (83, 103), "contains", 0.425),  # 17 of 20 stand in the larger one
        (Jaccard(), (0, 100), (84, 104), "different", 0.5 * 16 / 104 / 0.4),  # 16 of 20 do
        (Jaccard(threshold=0.8), (0, 21), (3, 23), "contains", 0.5 * 18 / 23 / 0.8),  # above half of 18 / 20
        (Jaccard(threshold=0.9), (0, 20), (3, 23), "near", 0.5 * 17 / 23 / 0.9),  # of one size, no excerpt
        (Jaccard(), (0, 6), (4, 10), "near", 0.25),  # 2 of 10
        (Jaccard(), (0, 6), (5, 11), "different", 0.5 / 11 / 0.4),
        (Jaccard(), (0, 6), (6, 12), "different", 0.0),
    ],
)
def test_the_rule(
    judge: Jaccard, a: tuple[int, int], b: tuple[int, int], relation: Relation, score: float
) -> None:
    verdict = judged(judge, members(*a), members(*b))
    assert verdict.relation == relation
    assert verdict.score == pytest.approx(score)


def test_the_reason_says_what_is_shared() -> None:
    reason = "40% of what they hold is common to both, 57% of what the shorter holds."
    assert Jaccard()(members(0, 7), members(3, 10)).reason == reason


def test_texts_without_features_are_too_short() -> None:
    check_too_short(Jaccard(), members(0, 3))


THRESHOLDS = "near must be above 0, and threshold at least near and at most 1"


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"near": 0.0}, THRESHOLDS),
        ({"near": 0.5}, THRESHOLDS),
        ({"threshold": 1.01}, THRESHOLDS),
        ({"containment": 0.0}, "containment must be above 0 and at most 1"),
        ({"containment": 1.01}, "containment must be above 0 and at most 1"),
    ],
)
def test_wrong_parameters_are_refused(parameters: dict[str, Any], sentence: str) -> None:
    refused(lambda: Jaccard(**parameters), sentence)


def test_the_bounds_themselves_are_allowed() -> None:
    assert Jaccard(threshold=1.0, near=1.0, containment=1.0)
    assert Jaccard(threshold=0.01, near=0.01, containment=0.01)


def test_a_share_judge_says_itself_what_is_shared() -> None:
    with pytest.raises(NotImplementedError):
        ShareJudge(0.5, 0.5, 0.5).shared(b"", b"")


@pytest.mark.parametrize(
    ("value", "threshold", "score"),
    [
        (0.0, 0.4, 0.0),
        (0.3, 0.4, 0.375),
        (0.4, 0.4, 0.5),
        (0.7, 0.4, 0.75),
        (1.0, 0.4, 1.0),
        (1.0, 1.0, 1.0),
        (0.0, 0.0, 0.5),
    ],
)
def test_every_threshold_is_half_on_the_scale_of_scores(value: float, threshold: float, score: float) -> None:
    assert graded(value, threshold) == pytest.approx(score)
