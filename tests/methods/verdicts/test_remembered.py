"""The judge that remembers what it has judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from dupgroups.methods.verdicts.base import MAX_REMEMBERED_PAIRS, RememberedJudge, Verdicts
from dupgroups.model import Record, Verdict
from methods.verdicts.records import record

A, B, C = (replace(record(id_.encode()), id=id_) for id_ in "abc")


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
    assert judge(B, A) == first
    assert counting.asked == 1
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
        assert counting.asked == 1 + asked, change


def test_doubtful_pairs_are_looked_at_again_together() -> None:
    """`look_ahead` asks for those that are not known, and none of its pairs is judged later."""
    doubtful, sure, known = Verdict("near", 0.2, "perhaps", doubtful=True), Verdict("near", 0.2, "no"), (A, A)
    looked: list[list[tuple[Record, Record]]] = []

    def look(pairs: Sequence[tuple[Record, Record]]) -> list[Verdict]:
        looked.append([*pairs])
        return [Verdict("duplicate", 0.9, a.id) for a, _ in pairs]

    judge = RememberedJudge(lambda a, b: sure if (a, b) == (B, B) else doubtful, look)
    judge(*known)
    judge.look_ahead([known, (A, B), (B, B), (B, A), (C, A), (A, B)])
    assert looked == [[known], [(A, B), (C, A)]]
    verdicts = [judge(*pair) for pair in ((A, B), (B, B), (B, A), (A, C))]
    assert [verdict.reason for verdict in verdicts] == ["a", "no", "a", "c"]
    assert len(looked) == 2


@pytest.mark.parametrize("first", [(A, B), (B, A)])
def test_the_other_way_round_contains_is_contained(first: tuple[Record, Record]) -> None:
    judge = RememberedJudge(lambda a, b: Verdict("contains", 0.4, f"{a.id} has all of {b.id}"))
    assert [judge(*pair).relation for pair in (first, first[::-1], first)] == [
        "contains",
        "contained",
        "contains",
    ]


def test_a_document_and_its_former_version_are_judged_in_their_order() -> None:
    judge = RememberedJudge(lambda a, b: Verdict("contains", 0.4, f"{a.length} and {b.length}"))
    former = replace(A, length=9)
    assert judge(A, former) == judge(A, former) == Verdict("contains", 0.4, f"{A.length} and 9")
    assert judge(former, A) == Verdict("contains", 0.4, f"9 and {A.length}")


def test_what_one_judge_knows_another_one_that_shares_it_does() -> None:
    known: Verdicts = {}
    one, two = (RememberedJudge(Counting(), known=known) for _ in range(2))
    assert two(A, B) is one(A, B)
    assert one(A, C) is two(A, C)


OTHERS = [(A, replace(B, length=number)) for number in range(1_000, 1_000 + MAX_REMEMBERED_PAIRS)]


def test_what_was_asked_for_last_is_remembered() -> None:
    judge = RememberedJudge(counting := Counting())
    for a, b in [(A, B), (A, C), (B, A), *OTHERS[1:]]:
        judge(a, b)
    for a, b, asked in ((A, B, 0), (A, C, 1), OTHERS[1] + (2,), (A, B, 2)):
        judge(a, b)
        assert counting.asked == 1 + MAX_REMEMBERED_PAIRS + asked, (a.id, b.id)
    judge.look_ahead([(A, A), *OTHERS[1:]])  # so (A, B) is forgotten, which was asked for before
    before = counting.asked
    judge(A, A)
    judge(A, B)
    assert counting.asked == before + 1


def test_all_that_was_looked_ahead_for_is_known_however_much_it_is() -> None:
    judge = RememberedJudge(counting := Counting())
    judge(A, B)
    judge.look_ahead([(A, B), (A, C), *OTHERS])
    for pair in [(A, B), (A, C), *OTHERS]:
        judge(*pair)
    assert counting.asked == len(OTHERS) + 2
