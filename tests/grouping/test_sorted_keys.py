"""Candidates from sorted keys, with the index of keys as the oracle."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.grouping import key_index, sorted_keys
from dupgroups.grouping.key_index import candidates_in_batch
from dupgroups.grouping.sorted_keys import SortedKeys
from dupgroups.model import Record
from grouping.values import ids, piles, record


def by_sorting(pile: list[Record], limit: int) -> dict[str, list[str]]:
    """The candidates of the records that have any, slice by slice."""
    keys = SortedKeys.of(pile)
    return {
        pile[place].id: [pile[other].id for other in others]
        for first, last in keys.slices(limit)
        for place, others in keys.candidates(first, last, limit)
    }


def one_by_one(pile: list[Record], limit: int) -> dict[str, list[str]]:
    pairs = zip(pile, candidates_in_batch(pile, limit=limit), strict=True)
    return {record.id: ids(others) for record, others in pairs if others}


@given(piles(), st.integers(1, 5))
def test_the_candidates_are_those_of_the_index_in_the_same_order(pile: list[Record], limit: int) -> None:
    assert list(by_sorting(pile, limit).items()) == list(one_by_one(pile, limit).items())


@given(st.integers(1, 9), piles())
def test_however_many_are_counted_at_a_time(meetings: int, pile: list[Record]) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sorted_keys, "MEETINGS", meetings)
        slices = list(SortedKeys.of(pile).slices(3))
        assert [place for first, last in slices for place in range(first, last)] == list(range(len(pile)))
        assert by_sorting(pile, 3) == one_by_one(pile, 3)


def test_a_slice_is_cut_where_enough_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sorted_keys, "MEETINGS", 4)
    pile = [record(str(age), "k", age=age) for age in range(6)]  # 1, 2, 3, ... are counted for them
    assert list(SortedKeys.of(pile).slices(9)) == [(0, 3), (3, 4), (4, 5), (5, 6)]


def test_of_a_key_that_very_many_hold_the_first_holders_stand_for_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(key_index, "crowd", lambda limit: 2)
    monkeypatch.setattr(sorted_keys, "crowd", lambda limit: 2)
    pile = [record(name, "1", age=age) for age, name in enumerate("fedcba")]
    first = {"e": ["f"], **{name: ["e", "f"] for name in "dcba"}}
    assert by_sorting(pile, 9) == first
    pile[4] = record("b", "12", age=4)
    pile[5] = record("a", "12", age=5)
    assert by_sorting(pile, 9)["a"] == ["b", "e", "f"]  # the other key is not crowded


def test_an_empty_pile_has_no_slices() -> None:
    assert list(SortedKeys.of([]).slices(9)) == []
    assert by_sorting([record("a", ""), record("b", "")], 9) == {}
