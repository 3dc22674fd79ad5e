"""The judge of fingerprints that agree."""

from __future__ import annotations

import pytest

from dupgroups.model import Record, Relation
from dupgroups_papers.verdicts.fingerprints import Fingerprints
from verdicts.records import check_too_short, judged, record, refused


def prints(*values: int) -> Record:
    return record(b"".join(value.to_bytes(8, "big") for value in values), scheme="cosine.1")


@pytest.mark.parametrize(
    ("least", "a", "b", "relation", "score"),
    [
        (1, (1,), (1,), "duplicate", 1.0),
        (1, (1,), (2,), "different", 0.0),
        (1, (1, 2, 3, 4), (1, 5, 6, 7), "duplicate", 0.5),
        (1, (1, 2, 3, 4), (1, 2, 6, 7), "duplicate", 0.5 + 0.5 * (1 / 4) / (3 / 4)),
        (2, (1, 2, 3, 4), (1, 5, 6, 7), "different", 0.25),
        (2, (1, 2, 3, 4), (1, 2, 6, 7), "duplicate", 0.5),
        (2, (1, 0, 0), (1, 0, 0), "duplicate", 1.0),  # all that either has
        (1, (1, 0, 3), (2, 0, 0), "different", 0.0),  # a fingerprint of zeros agrees with nothing
        (1, (1, 2, 0), (1, 0, 3), "duplicate", 0.5),  # one of three places where either has one
    ],
)
def test_the_rule(
    least: int, a: tuple[int, ...], b: tuple[int, ...], relation: Relation, score: float
) -> None:
    verdict = judged(Fingerprints(least), prints(*a), prints(*b))
    assert verdict.relation == relation
    assert verdict.score == pytest.approx(score)


def test_the_reason_counts() -> None:
    assert Fingerprints(2)(prints(1, 2, 0), prints(1, 3, 0)).reason == (
        "1 of 2 fingerprints agree (a copy needs 2)."
    )


def test_one_that_agrees_is_enough_by_default() -> None:
    assert Fingerprints().least == 1
    check_too_short(Fingerprints(), prints(1))


def test_what_cannot_be_compared_is_refused() -> None:
    refused(
        lambda: Fingerprints()(prints(1), prints(1, 2)),
        "these signatures have different numbers of fingerprints: run `dup-groups backfill`",
    )
    for body in (b"", b"123456789"):
        refused(
            lambda body=body: Fingerprints()(prints(1), record(body, scheme="cosine.1")),  # type: ignore[misc]
            "the judge 'fingerprints' reads signatures of imatch or fingerprint, not of 'cosine.1'",
        )
    refused(lambda: Fingerprints(0), "least must be at least 1")
