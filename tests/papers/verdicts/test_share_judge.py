"""The judges by what two sets share: relation and score from three numbers, the sizes and what is common."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest

from dupgroups.model import Record, Signature
from dupgroups_papers.codecs import set_codec
from dupgroups_papers.verdicts.jaccard import Jaccard
from dupgroups_papers.verdicts.share import ShareJudge


class OfNumbers(ShareJudge):
    """Reads what two share, and the size of each, from the bodies."""

    reason: ClassVar[str] = "{alike:.0%} alike, {covered:.0%} covered"

    def shared(self, a: bytes, b: bytes) -> tuple[float, float, float]:
        both, size_a = a.split(b"/")
        return float(both), float(size_a), float(b.split(b"/")[1])


def record(body: bytes) -> Record:
    return Record("x", "x", "", Signature("s", ("key",), body))


JUDGE = OfNumbers(threshold=0.4, containment=0.8, near=0.2)


@pytest.mark.parametrize(
    ("both", "sizes", "relation", "score"),
    [
        (100, (100, 100), "duplicate", 1.0),
        (40, (70, 70), "duplicate", 0.5),  # 40 of 100: the threshold itself
        (39, (70, 69), "near", 0.4875),
        (20, (60, 60), "near", 0.25),
        (19, (60, 59), "different", 0.2375),
        (0, (60, 60), "different", 0.0),
        # excerpts: half of what is covered, where that is more than what the resemblance gives
        (20, (100, 20), "contains", 0.5),
        (20, (20, 100), "contained", 0.5),
        (16, (100, 20), "contains", 0.4),  # the least containment
        (15, (100, 20), "different", 15 / 105 / 0.4 / 2),
        (30, (90, 30), "contains", 0.5),
        (28, (90, 35), "contains", 0.4),
        (10, (1000, 10), "contains", 0.5),
        (39, (100, 39), "contains", 0.5),
        (40, (100, 40), "duplicate", 0.5),  # a copy first, even where all is covered
    ],
)
def test_relation_and_score(both: int, sizes: tuple[int, int], relation: str, score: float) -> None:
    a, b = (record(b"%d/%d" % (both, size)) for size in sizes)
    verdict = JUDGE(a, b)
    assert (verdict.relation, verdict.score) == (relation, pytest.approx(score))


def test_a_set_of_the_same_size_is_never_an_excerpt() -> None:
    judge = OfNumbers(threshold=0.9, containment=0.5, near=0.1)
    verdict = judge(record(b"80/100"), record(b"80/100"))
    assert verdict.relation == "near"


def test_the_score_of_an_excerpt_is_its_resemblance_where_that_is_more() -> None:
    judge = OfNumbers(threshold=0.8, containment=0.8, near=0.1)
    verdict = judge(record(b"80/100"), record(b"80/90"))  # 0.727 alike, 0.889 covered
    assert (verdict.relation, verdict.score) == ("contains", pytest.approx(0.5 * (80 / 110) / 0.8))


def test_the_excerpt_of_a_real_set() -> None:
    hashes = np.arange(100, dtype=np.uint64) << np.uint64(32)
    whole, part = (record(set_codec.pack_sample(some)) for some in (hashes, hashes[:20]))
    contains, contained = Jaccard()(whole, part), Jaccard()(part, whole)
    assert (contains.relation, contained.relation) == ("contains", "contained")
    assert contains.score == contained.score == 0.5
    assert "100% of what the shorter holds" in contains.reason


def test_what_has_no_keys_is_too_short() -> None:
    short = Record("x", "x", "", Signature("s"))
    for a, b in ((short, short), (short, record(b"1/1")), (record(b"1/1"), short)):
        assert (JUDGE(a, b).relation, JUDGE(a, b).score) == ("too_short", 0.0)
