"""One look at a store, on every engine: what a plan gets to know of it, and that nothing is written."""

from __future__ import annotations

import pytest

from dupgroups import look
from dupgroups.engines import Engine
from dupgroups.grouping import Rule, View
from dupgroups.look import Observer
from dupgroups.model import Record, Seen
from engines.documents import document, ids
from watched import Watched

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


def observer(store: Watched, limit: int = 2) -> Observer:
    return Observer(store, Rule(frozenset(), limit), {"s1"})  # type: ignore[arg-type]


def new(id_: str, keys: str) -> Record:
    return document(id_, keys=keys, seen=9).record


def arriving(store: Watched, *records: Record, limit: int = 2) -> View:
    stored = store.engine.get([record.id for record in records])
    return observer(store, limit).arriving(records, stored, "v")


def seen(view: View) -> dict[str, list[str]]:
    return {id_: ids(list(others)) for id_, others in view.candidates.items()}


def test_candidates_are_those_of_the_store_and_then_the_earlier_ones_of_the_batch(store: Watched) -> None:
    view = arriving(store, new("z", "1"), new("y", "12"), new("x", "12"))
    assert seen(view) == {"z": ["a", "c"], "y": ["c", "a", "z"], "x": ["c", "a", "y", "z"]}
    assert ids(list(view.records)) == ["z", "y", "x"]
    assert set(store.names) <= READING
    assert store.names.count("candidates") == 1


def test_of_store_and_batch_the_nearest_within_the_limit(store: Watched) -> None:
    view = arriving(store, new("z", "1"), new("w", "1"), new("y", "12"), new("x", "12"), limit=1)
    assert seen(view)["x"] == ["c", "y"]


def test_what_will_be_gone_is_not_a_candidate(store: Watched) -> None:
    view = arriving(store, new("e", "7"), new("x", "5"))
    assert seen(view) == {"e": [], "x": []}
    assert view.stored == store.get(["e"])


def test_groups_are_those_of_stored_candidates_by_the_age_of_what_names_them_now(store: Watched) -> None:
    view = arriving(store, new("z", "4"), new("y", "24"))
    assert view.groups == {"a": (1, "a"), "gone": (2, "b")}
    assert store.given("resolve")[-1] == ["a", "gone"]


def test_a_group_whose_name_is_not_stored_is_as_old_as_what_is_left_of_it(store: Watched) -> None:
    store.delete(["a"])
    view = arriving(store, new("z", "2"))
    assert (view.groups, view.left_behind) == ({"a": (0, "a")}, {"a": (3, "c")})


def test_the_group_of_a_document_that_is_signed_otherwise_is_grouped_anew(store: Watched) -> None:
    view = arriving(store, new("a", "7"), new("x", "12"))
    assert ids(list(view.records)) == ["c", "a", "x"]
    assert view.regrouped == {"c"}
    assert view.former == {"a": "a", "c": "a"}
    assert seen(view) == {"c": [], "a": [], "x": ["c"]}
    assert not view.left_behind


def test_the_group_of_a_document_with_the_same_signature_stays_as_it_is(store: Watched) -> None:
    view = arriving(store, new("a", "1"))
    assert (ids(list(view.records)), view.regrouped, view.left_behind) == (["a"], set(), {"a": (3, "c")})


def test_labels_that_were_not_carried_out_belong_to_the_group(store: Watched) -> None:
    view = arriving(store, new("d", "7"))
    assert ids(list(view.records)) == ["b", "gone", "d"]
    assert view.former == dict.fromkeys(("b", "gone", "d"), "b")


def test_of_a_huge_group_the_oldest_are_grouped_anew_and_the_rest_is_left(
    store: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(look, "FELLOWS", 2)
    store.put([document(name, "a", keys="8", seen=10 + at) for at, name in enumerate("fgh")])
    view = arriving(store, new("a", "7"))
    assert ids(list(view.records)) == ["c", "f", "a"]
    assert view.left_behind == {"a": (11, "g")}


def test_documents_that_cannot_be_judged_stay_where_they_are(store: Watched) -> None:
    store.put([document("f", "a", keys="8", scheme="s2", seen=7)])
    view = arriving(store, new("a", "7"))
    assert view.regrouped == {"c"}
    assert view.left_behind == {"a": (7, "f")}


def test_regrouping_looks_at_whole_groups_and_never_finds_the_record_itself(store: Watched) -> None:
    view = observer(store).regrouping(list(store.get(["c"]).values()), version="v")
    assert ids(list(view.records)) == ["a", "c"]
    assert view.regrouped == {"a", "c"}
    assert seen(view) == {"a": [], "c": ["a"]}
    assert set(store.names) <= READING


def test_regrouping_takes_in_the_candidates_whose_move_was_not_carried_out(store: Watched) -> None:
    store.put([document("x", keys="4", seen=8)])
    view = observer(store).regrouping(list(store.get(["x"]).values()), version="v")
    assert ids(list(view.records)) == ["b", "gone", "d", "x"]
    assert seen(view)["x"] == ["d"]


def test_without_leaves_the_records_out(store: Watched) -> None:
    view = observer(store).without(list(store.get(["a", "e"]).values()), version="v")
    assert ids(list(view.records)) == ["c"]
    assert seen(view) == {"c": []}
    assert view.former == {"a": "a", "c": "a", "e": "e"}


def test_the_view_holds_the_version_that_was_read_first(store: Watched) -> None:
    view = arriving(store, new("a", "7"), new("x", "12"))
    assert view.seen is not None
    assert (view.seen.store, set(view.seen.records)) == ("v", {"a", "c", "x"})


def test_looking_at_nothing(store: Watched) -> None:
    assert arriving(store) == View(seen=Seen("v", {}), records=[])
    assert not any(store.given(reading)[0] for reading in ("candidates", "resolve", "get"))
