"""The judges by what two sets share: relation and score from what is common and the sizes of both."""

from __future__ import annotations

import pytest

from dupgroups_papers.verdicts.share import ShareJudge
from methods.verdicts.records import judged, record


class OfNumbers(ShareJudge):
    """Reads what two share, and the size of each, from the bodies."""

    reason = "{alike:.0%} alike, {covered:.0%} covered"

    def measure_shared(self, a: bytes, b: bytes) -> tuple[float, float, float]:
        both, size_a = a.split(b"/")
        return float(both), float(size_a), float(b.split(b"/")[1])


JUDGE = OfNumbers(threshold=0.4, containment=0.8, near=0.2)


@pytest.mark.parametrize(
    ("judge", "both", "sizes", "relation", "score"),
    [
        (JUDGE, 100, (100, 100), "duplicate", 1.0),
        (JUDGE, 40, (70, 70), "duplicate", 0.5),  # 40 of 100: the threshold itself
        (JUDGE, 20, (60, 60), "near", 0.25),
        (JUDGE, 19, (60, 59), "different", 0.2375),
        (JUDGE, 40, (100, 40), "duplicate", 0.5),  # a copy first, even where all is covered
        # excerpts: half of what is covered, where that is more than what the resemblance gives
        (JUDGE, 39, (100, 39), "contains", 0.5),
        (JUDGE, 20, (20, 100), "contained", 0.5),
        (JUDGE, 15, (100, 20), "different", 15 / 105 / 0.4 / 2),
        (OfNumbers(0.8, 0.8, 0.1), 80, (100, 90), "contains", 0.5 * (80 / 110) / 0.8),
        (OfNumbers(0.9, 0.5, 0.1), 80, (100, 100), "near", 0.5 * (80 / 120) / 0.9),  # of one size
    ],
)
def test_relation_and_score(
    judge: ShareJudge, both: int, sizes: tuple[int, int], relation: str, score: float
) -> None:
    verdict = judged(judge, *(record(b"%d/%d" % (both, size)) for size in sizes))
    assert (verdict.relation, verdict.score) == (relation, pytest.approx(score))
