"""The judge that remembers what it has judged."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dupgroups.model import Record, Verdict
from dupgroups.verdicts.remembered import RememberedJudge
from verdicts.records import record

A, B = replace(record(b"a"), id="a"), replace(record(b"b"), id="b")


class Counting:
    """Says how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, a: Record, b: Record) -> Verdict:
        self.asked += 1
        return Verdict("duplicate", 1.0, str(self.asked))


def test_a_pair_is_judged_once() -> None:
    judge = RememberedJudge(counting := Counting())
    first = judge(A, B)
    assert judge(replace(A, group="z", last_seen=7), B) is first  # no judge reads these
    judge(B, A)  # the other way round `contains` is `contained`
    assert counting.asked == 2


@pytest.mark.parametrize(
    "change",
    [
        {"host": "another.example"},
        {"length": 99},
        {"published": 7},
        {"signature": replace(A.signature, body=b"c")},
        {"signature": replace(A.signature, scheme="cosine.1")},
    ],
    ids=lambda change: "-".join(change),
)
def test_a_pair_is_judged_again_when_what_judges_read_has_changed(
    change: dict[str, object],
) -> None:
    judge = RememberedJudge(counting := Counting())
    judge(A, B)
    judge(replace(A, **change), B)
    judge(B, replace(A, **change))
    assert counting.asked == 3


def test_what_is_remembered_is_bounded() -> None:
    judge = RememberedJudge(counting := Counting(), most=2)
    for _ in range(2):
        judge(A, B)
        judge(B, A)
    assert counting.asked == 2
    judge(A, A)
    judge(A, B)
    assert counting.asked == 4
