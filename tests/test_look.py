"""One look at a store, on every engine: what a plan gets to know of it, and that nothing is written."""

from __future__ import annotations

import pytest

from dupgroups.engines import Engine
from dupgroups.grouping import Rule, View
from dupgroups.look import look, look_again, look_at_headless
from dupgroups.model import Record
from engines.documents import document, ids
from watched import Watched

RULE = Rule(frozenset({"duplicate"}), 2)
READING = {"candidates", "resolve", "get", "members"}


@pytest.fixture
def store(engine: Engine) -> Watched:
    """Group "a" with "c", group "b" with "d", which was merged from "gone", and "e" alone."""
    engine.put(
        [
            document("a", keys="1", seen=1),
            document("c", "a", keys="12", seen=3),
            document("b", keys="3", seen=2),
            document("gone", keys="9", seen=4),
            document("d", "gone", keys="34", seen=5),
            document("e", keys="5", seen=6),
        ]
    )
    engine.put([], moves={"gone": "b"})
    engine.put([document("d", "gone", keys="34", seen=5)])  # as if its move had not been carried out
    return Watched(engine)


def new(id_: str, keys: str) -> Record:
    return document(id_, keys=keys, seen=9).record


def test_candidates_are_those_of_the_store_and_then_the_earlier_ones_of_the_batch(store: Watched) -> None:
    batch = [new("z", "1"), new("y", "12"), new("x", "12")]
    view = look(store, batch, {}, RULE)  # type: ignore[arg-type]
    assert {id_: ids(list(others)) for id_, others in view.candidates.items()} == {
        "z": ["a", "c"],
        "y": ["c", "a", "z"],
        "x": ["c", "a", "y", "z"],
    }
    assert set(store.names) <= READING
    assert store.names.count("candidates") == 1


def test_of_store_and_batch_the_nearest_within_the_limit(store: Watched) -> None:
    batch = [new("z", "1"), new("w", "1"), new("y", "12"), new("x", "12")]
    view = look(store, batch, {}, Rule(frozenset(), 1))  # type: ignore[arg-type]
    assert ids(list(view.candidates["x"])) == ["c", "y"]


def test_what_will_be_gone_is_not_a_candidate(store: Watched) -> None:
    old = store.get(["c"])
    view = look(store, [new("c", "7"), new("x", "12")], old, RULE)  # type: ignore[arg-type]
    assert ids(list(view.candidates["x"])) == ["a"]
    assert view.stored == old


def test_groups_are_those_of_stored_candidates_by_the_age_of_what_names_them_now(store: Watched) -> None:
    view = look(store, [new("z", "4"), new("y", "24")], {}, RULE)  # type: ignore[arg-type]
    assert view.groups == {"a": (1, "a"), "gone": (2, "b")}
    assert store.given("resolve") == [["a", "gone"]]


def test_a_group_whose_name_is_not_stored_is_the_oldest(store: Watched) -> None:
    store.delete(["a"])
    view = look(store, [new("z", "2")], {}, RULE)  # type: ignore[arg-type]
    assert view.groups == {"a": (0, "a")}


def test_what_is_left_behind_is_what_is_not_written_anew(store: Watched) -> None:
    store.put([document("f", "a", keys="8", seen=7)])
    for batch, left in (
        ("a", {"a": (3, "c")}),
        ("ac", {"a": (7, "f")}),
        ("acf", {}),
        ("c", {}),  # it names no group
        ("e", {}),  # nobody is left
        ("be", {"b": (4, "gone")}),
        ("x", {}),  # it is not stored
    ):
        records = [new(id_, "7") for id_ in batch]
        store.calls.clear()
        view = look(store, records, store.get([*batch]), RULE)  # type: ignore[arg-type]
        assert view.left_behind == left, batch
        assert store.given("members") == ([[*batch]] if batch != "x" else [])


def test_looking_again_never_finds_the_record_itself_and_keeps_it(store: Watched) -> None:
    records = list(store.get(["c", "d"]).values())
    view = look_again(store, records, RULE)  # type: ignore[arg-type]
    assert {id_: ids(list(others)) for id_, others in view.candidates.items()} == {"c": ["a"], "d": ["b"]}
    assert view.staying == {"c", "d"}
    assert view.groups == {"a": (1, "a"), "b": (2, "b"), "gone": (2, "b")}
    assert not view.left_behind
    assert set(store.names) <= READING


def test_the_group_of_a_record_without_candidates_is_known_too(store: Watched) -> None:
    view = look_again(store, list(store.get(["e"]).values()), RULE)  # type: ignore[arg-type]
    assert (view.candidates, view.groups) == ({"e": []}, {"e": (6, "e")})


def test_groups_without_the_document_that_names_them(store: Watched) -> None:
    store.delete(["a", "e"])
    view = look_at_headless(store, ["a", "e", "unknown"])  # type: ignore[arg-type]
    assert view.left_behind == {"a": (3, "c")}
    assert not look_at_headless(store, ["a", "c"]).left_behind  # type: ignore[arg-type]
    assert not look_at_headless(store, []).left_behind  # type: ignore[arg-type]


def test_looking_at_nothing(store: Watched) -> None:
    view = look(store, [], {}, RULE)  # type: ignore[arg-type]
    assert view == View()
    assert not any(store.given(reading)[0] for reading in ("candidates", "resolve", "get"))
