"""The judge that remembers what it has judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from dupgroups.methods.verdicts import base
from dupgroups.methods.verdicts.base import RememberedJudge, look_ahead
from dupgroups.model import Record, Verdict
from methods.verdicts.records import record

A, B = replace(record(b"a"), id="a"), replace(record(b"b"), id="b")


class Counting:
    """Says how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, a: Record, b: Record) -> Verdict:
        self.asked += 1
        return Verdict("duplicate", 1.0, str(self.asked))


def test_a_pair_is_judged_once_until_what_judges_read_has_changed() -> None:
    judge = RememberedJudge(counting := Counting())
    first = judge(A, B)
    assert judge(replace(A, group="z", last_seen=7), B) is first  # no judge reads these
    judge(B, A)  # the other way round `contains` is `contained`
    assert counting.asked == 2
    others = (
        {"host": "another.example"},
        {"length": 99},
        {"published": 7},
        {"signature": replace(A.signature, body=b"c")},
        {"signature": replace(A.signature, scheme="cosine.1")},
    )
    for asked, change in enumerate(others, start=1):
        judge(replace(A, **change), B)  # type: ignore[arg-type]
        judge(B, replace(A, **change))  # type: ignore[arg-type]
        assert counting.asked == 2 + 2 * asked, change


def test_doubtful_pairs_are_looked_at_again_together() -> None:
    """`look_ahead` asks for those that are not known, and none of its pairs is judged later."""
    doubtful, sure, known = Verdict("near", 0.2, "perhaps", doubtful=True), Verdict("near", 0.2, "no"), (A, A)
    looked: list[list[tuple[Record, Record]]] = []

    def look(pairs: Sequence[tuple[Record, Record]]) -> list[Verdict]:
        looked.append([*pairs])
        return [Verdict("duplicate", 0.9, a.id) for a, _ in pairs]

    judge = RememberedJudge(lambda a, b: sure if (a, b) == (B, B) else doubtful, look)
    judge(*known)
    look_ahead(judge, [known, (A, B), (B, B), (B, A), (A, B)])
    assert looked == [[known], [(A, B), (B, A)]]
    verdicts = [judge(*pair) for pair in ((A, B), (B, B), (B, A))]
    assert [verdict.reason for verdict in verdicts] == ["a", "no", "b"]
    assert len(looked) == 2


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "MOST", 2)
    judge = RememberedJudge(counting := Counting())
    for a, b in ((A, B), (B, A), (A, B), (B, A)):
        judge(a, b)
    assert counting.asked == 2
    judge(A, A)
    judge(A, B)
    assert counting.asked == 4
