"""The index from keys to records: most shared keys first, then by id, and up to date after every change."""

import pickle
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from dupgroups.grouping.key_index import KeyIndex, candidates_in_batch, crowd
from dupgroups.model import Record, Signature
from grouping.values import SCHEMES, ids, piles, record

EMPTY = pickle.dumps(KeyIndex())


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


def test_what_is_deleted_is_not_held_any_more_and_its_keys_take_no_room() -> None:
    index = KeyIndex([record("a", "12"), record("b", "2")])
    index.put(record("a", "12", age=8))  # the same signature
    assert (len(index), index.candidates(sought("1"), limit=9)) == (2, [record("a", "12", age=8)])
    index.delete("a")
    index.delete("unknown")
    assert ("a" in index, index.get("a"), index.get("b"), len(index)) == (False, None, record("b", "2"), 1)
    assert ids(index.candidates(sought("12"), limit=9)) == ["b"]
    index.delete("b")
    assert index.candidates(sought("123"), limit=9) == []
    assert pickle.dumps(index) == EMPTY
    index.put(record("a", "12"))
    index.put(record("a", ""))
    assert pickle.dumps(index) == pickle.dumps(KeyIndex([record("a", "")]))


changes = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sets(st.sampled_from("123")) | st.none(), st.sampled_from(SCHEMES)),
    max_size=12,
)


@given(changes)
def test_after_any_changes_candidates_are_those_of_what_is_left(
    made: list[tuple[str, set[str] | None, str]],
) -> None:
    index, left = KeyIndex(), {}
    for id_, keys, scheme in made:
        if keys is None:
            index.delete(id_)
            left.pop(id_, None)
        else:
            left[id_] = record(id_, sorted(keys), scheme=scheme)
            index.put(left[id_])
    for scheme in SCHEMES:
        signature = sought("123", scheme)
        assert ids(index.candidates(signature, limit=3)) == nearest(list(left.values()), signature, 3)


@given(piles(), st.integers(1, 4))
def test_within_a_batch_candidates_are_the_nearest_of_the_earlier_records(
    pile: list[Record], limit: int
) -> None:
    """Never the record itself, never a later one."""
    candidates = list(candidates_in_batch(pile, limit=limit))
    assert [ids(others) for others in candidates] == [
        nearest(pile[:place], pile[place].signature, limit) for place in range(len(pile))
    ]
