"""Henzinger's rule: supershingles, then bits."""

from __future__ import annotations

from typing import Any

import pytest

from dupgroups.model import Record, Relation
from dupgroups_papers.verdicts.henzinger import HenzingerRule
from verdicts.records import check_too_short, judged, record, refused

NOT_HENZINGER = "the judge 'henzinger' reads signatures of henzinger, not of 'simhash.1'"


def parts(supershingles: tuple[int, ...], ones: int) -> Record:
    """Supershingles, and 384 bits of which the last `ones` are set."""
    head = bytes([len(supershingles)]) + b"".join(value.to_bytes(8, "big") for value in supershingles)
    return record(head + ((1 << ones) - 1).to_bytes(48, "big"), scheme="henzinger.1")


@pytest.mark.parametrize(
    ("supershingles", "differ", "relation", "score"),
    [
        ((1, 2, 3, 4), 0, "duplicate", 1.0),
        ((1, 2, 9, 9), 0, "duplicate", 0.5),
        ((1, 2, 3, 9), 0, "duplicate", 0.75),
        ((1, 2, 3, 4), 29, "duplicate", 0.5),  # 355 bits agree
        ((1, 2, 3, 4), 30, "near", 0.5 * 354 / 355),
        ((1, 2, 9, 9), 30, "near", 0.5 * 354 / 355),  # just enough supershingles
        ((1, 9, 9, 9), 0, "near", 0.25),
        ((1, 9, 9, 9), 30, "different", 0.25),
        ((9, 9, 9, 9), 384, "different", 0.0),
    ],
)
def test_the_rule(supershingles: tuple[int, ...], differ: int, relation: Relation, score: float) -> None:
    verdict = judged(HenzingerRule(), parts((1, 2, 3, 4), 0), parts(supershingles, differ))
    assert verdict.relation == relation
    assert verdict.score == pytest.approx(score)


def scattered(places: tuple[int, ...]) -> Record:
    """Four supershingles, and 384 bits of which those at these places are set."""
    whole, bits = parts((1, 2, 3, 4), 0), sum(1 << place for place in places)
    return record(whole.signature.body[:-48] + bits.to_bytes(48, "big"), scheme="henzinger.1")


@pytest.mark.parametrize(
    ("pieces", "differ", "relation", "score"),
    [
        (12, 11, "duplicate", 0.5 + 0.5 * (1 - 11 / 29)),  # a bit of each piece of 32 but one
        (12, 12, "near", 0.25 + 0.25 * (1 - 12 / 29)),  # of each piece
        (6, 12, "near", 0.25 + 0.25 * (1 - 12 / 29)),
        (24, 12, "duplicate", 0.5 + 0.5 * (1 - 12 / 29)),
        (0, 12, "duplicate", 0.5 + 0.5 * (1 - 12 / 29)),  # no piece is asked for
    ],
)
def test_a_copy_has_a_piece_in_common(pieces: int, differ: int, relation: Relation, score: float) -> None:
    rule = HenzingerRule(pieces=pieces)
    verdict = judged(rule, scattered(()), scattered(tuple(range(0, 32 * differ, 32))))
    assert verdict.relation == relation
    assert verdict.score == pytest.approx(score)


def test_a_text_of_one_supershingle_needs_just_that() -> None:
    assert judged(HenzingerRule(), parts((1,), 0), parts((1,), 0)).score == 1


def test_the_reason_counts() -> None:
    assert HenzingerRule()(parts((1, 2, 3, 4), 0), parts((1, 9, 9, 9), 96)).reason == (
        "1 of 4 supershingles agree (a copy needs 2), and 75.0% of the bits (a copy needs 92.4%), "
        "with 9 of 12 pieces the same (a copy needs 1)."
    )
    assert HenzingerRule(pieces=0)(parts((1,), 0), parts((1,), 0)).reason.endswith("(a copy needs 92.4%).")


def test_texts_without_features_are_too_short() -> None:
    check_too_short(HenzingerRule(), parts((1, 2), 0))


@pytest.mark.parametrize("body", [b"", b"\0", b"\0bits", b"\x01" + bytes(8), b"\x02" + bytes(12)])
def test_other_signatures_are_refused(body: bytes) -> None:
    refused(lambda: HenzingerRule()(parts((1,), 0), record(body, scheme="simhash.1")), NOT_HENZINGER)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"supershingles": 0}, "supershingles must be between 1 and 255"),
        ({"supershingles": 256}, "supershingles must be between 1 and 255"),
        ({"bits": 191}, "bits must be between 192, which agree by chance, and 384"),
        ({"pieces": -1}, "pieces must be between 0 and 64"),
        ({"pieces": 65}, "pieces must be between 0 and 64"),
        ({"bits": 385}, "bits must be between 192, which agree by chance, and 384"),
    ],
)
def test_wrong_parameters_are_refused(parameters: dict[str, Any], sentence: str) -> None:
    refused(lambda: HenzingerRule(**parameters), sentence)


def test_the_bounds_themselves_are_allowed() -> None:
    assert HenzingerRule(supershingles=1, bits=192)
    assert HenzingerRule(supershingles=255, bits=384)


def test_supershingles_agree_in_all_of_their_bits() -> None:
    one, two = parts((1 << 63, 5), 0), parts(((1 << 63) + 1, 5), 0)
    assert judged(HenzingerRule(), one, two).relation == "near"
