"""The judges of one number: fingerprints that agree, bits that differ, the cosine of weighted words."""

from __future__ import annotations

import numpy as np
import pytest

from dupgroups.model import Record, Relation
from dupgroups_papers.codecs.vector_codec import pack
from dupgroups_papers.verdicts.cosine_similarity import CosineSimilarity
from dupgroups_papers.verdicts.fingerprints import Fingerprints
from dupgroups_papers.verdicts.hamming import Hamming
from methods.verdicts.records import hashes, judged, record


def prints(*values: int) -> Record:
    return record(b"".join(value.to_bytes(8, "big") for value in values))


@pytest.mark.parametrize(
    ("least", "a", "b", "relation", "score"),
    [
        (1, (1, 2, 3, 4), (1, 5, 6, 7), "duplicate", 0.5),
        (2, (1, 2, 3, 4), (1, 5, 6, 7), "different", 0.25),
        (2, (1, 0, 0), (1, 0, 0), "duplicate", 1.0),  # all that either has
        (1, (1, 0, 3), (2, 0, 0), "different", 0.0),  # a fingerprint of zeros agrees with nothing
        (1, (1, 2, 0), (1, 0, 3), "duplicate", 0.5),  # one of three places where either has one
    ],
)
def test_fingerprints_that_agree(
    least: int, a: tuple[int, ...], b: tuple[int, ...], relation: Relation, score: float
) -> None:
    verdict = judged(Fingerprints(least), prints(*a), prints(*b))
    assert (verdict.relation, verdict.score) == (relation, pytest.approx(score))


@pytest.mark.parametrize(
    ("judge", "differ", "relation", "score"),
    [  # the thresholds of the paper are the defaults
        (Hamming(), 0, "duplicate", 1.0),
        (Hamming(), 3, "duplicate", 0.5),
        (Hamming(), 4, "near", 0.4918),
        (Hamming(), 8, "near", 0.459),
        (Hamming(), 9, "different", 0.4508),
    ],
)
def test_bits_that_differ(judge: Hamming, differ: int, relation: str, score: float) -> None:
    one, two = (record(bits.to_bytes(8, "big")) for bits in (0, (1 << differ) - 1))
    verdict = judged(judge, one, two)
    assert (verdict.relation, verdict.score) == (relation, pytest.approx(score, abs=1e-4))
    assert verdict.reason == f"{differ} of 64 bits differ (a copy may differ in {judge.distance})."


def words(start: int, *weights: float) -> Record:
    return record(pack(hashes(start, start + len(weights)), np.array(weights)))


@pytest.mark.parametrize(
    ("judge", "relation", "score"),
    [  # the cosine is 0.5
        (CosineSimilarity(), "different", 0.25 / 0.87),
        (CosineSimilarity(threshold=0.5, near=0.5), "duplicate", 0.5),
        (CosineSimilarity(threshold=0.8, near=0.5), "near", 0.25 / 0.8),
        (CosineSimilarity(threshold=0.8, near=0.51), "different", 0.25 / 0.8),
    ],
)
def test_the_cosine_of_weighted_words(judge: CosineSimilarity, relation: Relation, score: float) -> None:
    verdict = judged(judge, words(0, 1, 1), words(1, 1, 1))
    assert (verdict.relation, verdict.score) == (relation, pytest.approx(score))
    needed = f"{judge.threshold:.2f}"
    assert verdict.reason == f"The cosine of their weighted words is 0.50 (a copy needs {needed})."
