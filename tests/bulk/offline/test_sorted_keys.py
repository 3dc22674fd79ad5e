"""Candidates from sorted keys, with the index of keys as the oracle, in memory and in files."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.bulk.offline import sorted_keys
from dupgroups.bulk.offline.corpus import Columns
from dupgroups.bulk.offline.scratch import Scratch
from dupgroups.bulk.offline.sorted_keys import SortedKeys, nearest_first
from dupgroups.grouping.key_index import candidates_in_batch
from dupgroups.model import Record
from grouping.values import ids, piles

PLENTY = 1 << 20


def one_key(places: np.ndarray) -> np.ndarray:
    return np.ones(len(places), np.int64)


def by_sorting(pile: list[Record], limit: int, *, memory: int = PLENTY) -> dict[str, list[str]]:
    """The candidates of the records that have any, as they came in another order."""
    needed = np.array([record.signature.shared_keys for record in pile], np.int64)

    def names(places: np.ndarray) -> list[str]:
        return [pile[place].id for place in places]

    found: dict[str, list[str]] = {}
    with Scratch(memory) as scratch:
        keys = SortedKeys(scratch)
        for one in reversed(pile):
            columns = Columns.of([one])
            keys.add(columns.keys, columns.counts)
        places = np.arange(len(pile))[::-1]
        for documents, others, shared in keys.pairs(limit, places, names, needed.__getitem__):
            order = nearest_first(documents, others, shared, names)
            for one, other in zip(names(documents[order]), names(others[order]), strict=True):
                found.setdefault(one, []).append(other)
    return found


def one_by_one(pile: list[Record], limit: int) -> dict[str, list[str]]:
    pairs = zip(pile, candidates_in_batch(pile, limit=limit), strict=True)
    return {record.id: ids(others) for record, others in pairs if others}


@given(piles(), st.integers(1, 5))
def test_the_candidates_are_those_of_the_index_in_the_same_order(pile: list[Record], limit: int) -> None:
    assert list(by_sorting(pile, limit).items()) == list(one_by_one(pile, limit).items())


@given(st.integers(1, 9), piles())
def test_however_many_are_counted_at_a_time_and_in_files(meetings: int, pile: list[Record]) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sorted_keys, "MAX_MEETINGS", meetings)
        patched.setattr(sorted_keys, "MAX_WAITING_KEYS", 1)
        patched.setattr(sorted_keys, "DOCUMENT_BITS", 2)
        assert by_sorting(pile, 3, memory=0) == one_by_one(pile, 3)


def test_keys_that_differ_only_in_their_low_bits_are_different() -> None:
    keys = np.array([5, 4, 5, 1 << 63 | 4, 4], np.uint64)
    with Scratch(PLENTY) as scratch:
        pile = SortedKeys(scratch)
        pile.add(keys, np.ones(5, np.int64))
        (pairs,) = pile.pairs(9, None, lambda places: [str(place) for place in places], one_key)
    assert [column.tolist() for column in pairs] == [[2, 4], [0, 1], [1, 1]]
