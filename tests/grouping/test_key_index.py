"""The index from keys to records: most shared keys first, then by id."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from dupgroups.grouping.key_index import KeyIndex, candidates_in_batch, crowd
from dupgroups.model import Record, Signature
from grouping.values import ids, piles, record


def sought(keys: str, scheme: str = "s") -> Signature:
    return Signature(scheme, tuple(keys))


def nearest(records: list[Record], signature: Signature, limit: int) -> list[str]:
    """The candidates by definition: the first holders of each key, most shared keys first, then by id."""
    same = [other for other in records if other.signature.scheme == signature.scheme]
    shared: Counter[str] = Counter()
    for key in set(signature.keys):
        shared.update([other.id for other in same if key in other.signature.keys][: crowd(limit)])
    enough = [id_ for id_, count in shared.items() if count >= signature.shared_keys]
    return sorted(enough, key=lambda id_: (-shared[id_], id_))[:limit]


@given(piles(), st.integers(1, 4))
def test_within_a_batch_candidates_are_the_nearest_of_the_earlier_records(
    pile: list[Record], limit: int
) -> None:
    """Never the record itself, never a later one."""
    candidates = list(candidates_in_batch(pile, limit=limit))
    assert [ids(others) for others in candidates] == [
        nearest(pile[:place], pile[place].signature, limit) for place in range(len(pile))
    ]


def test_of_a_key_that_a_crowd_holds_the_first_holders_are_met() -> None:
    index = KeyIndex(record(f"{number:02}", "1", age=number) for number in reversed(range(20)))
    assert ids(index.candidates(sought("1"), limit=2)) == ["12", "13"]  # of the eight that came first
    index.put(record("0", "12"))
    assert ids(index.candidates(sought("12"), limit=2)) == ["0", "12"]  # the other key is not crowded
