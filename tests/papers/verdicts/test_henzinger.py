"""Henzinger's rule: supershingles, then bits."""

from __future__ import annotations

import pytest

from dupgroups.model import Record, Relation
from dupgroups_papers.verdicts.henzinger_rule import HenzingerRule
from methods.verdicts.records import judged, record

FOUR = (1, 2, 3, 4)


def parts(supershingles: tuple[int, ...], bits: int) -> Record:
    head = bytes([len(supershingles)]) + b"".join(value.to_bytes(8, "big") for value in supershingles)
    return record(head + bits.to_bytes(48, "big"))


@pytest.mark.parametrize(
    ("supershingles", "differ", "relation", "score"),
    [
        ((1, 2, 3, 4), 0, "duplicate", 1.0),
        ((1, 2, 9, 9), 0, "duplicate", 0.5),
        ((1, 2, 3, 4), 29, "duplicate", 0.5),  # 355 bits agree
        ((1, 2, 9, 9), 30, "near", 0.5 * 354 / 355),  # just enough supershingles
        ((1, 9, 9, 9), 30, "different", 0.25),
        (((1 << 63) + 1, 2, 9, 9), 0, "near", 0.25),  # they agree in all of their bits or not at all
    ],
)
def test_the_rule(supershingles: tuple[int, ...], differ: int, relation: Relation, score: float) -> None:
    one = FOUR if supershingles[0] < 1 << 63 else (1 << 63, 2, 3, 4)
    verdict = judged(HenzingerRule(), parts(one, 0), parts(supershingles, (1 << differ) - 1))
    assert (verdict.relation, verdict.score) == (relation, pytest.approx(score))


@pytest.mark.parametrize(
    ("pieces", "differ", "relation", "score"),
    [
        (12, 11, "duplicate", 0.5 + 0.5 * (1 - 11 / 29)),  # a bit of each piece of 32 but one
        (12, 12, "near", 0.25 + 0.25 * (1 - 12 / 29)),  # of each piece
        (0, 12, "duplicate", 0.5 + 0.5 * (1 - 12 / 29)),  # no piece is asked for
    ],
)
def test_a_copy_has_a_piece_in_common(pieces: int, differ: int, relation: Relation, score: float) -> None:
    scattered = sum(1 << place for place in range(0, 32 * differ, 32))
    verdict = judged(HenzingerRule(pieces=pieces), parts(FOUR, 0), parts(FOUR, scattered))
    assert (verdict.relation, verdict.score) == (relation, pytest.approx(score))


def test_the_reason_counts() -> None:
    assert HenzingerRule()(parts(FOUR, 0), parts((1, 9, 9, 9), (1 << 96) - 1)).reason == (
        "1 of 4 supershingles agree (a copy needs 2), and 75.0% of the bits (a copy needs 92.4%), "
        "with 9 of 12 pieces the same (a copy needs 1)."
    )
