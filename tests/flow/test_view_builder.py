"""One look at a store, on every engine: what a plan gets to know of it, and that nothing is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from dupgroups.engines import Engine
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.flow.view_builder import ViewBuilder
from dupgroups.grouping.constraints import Corrections
from dupgroups.grouping.grouping_rule import GroupingRule
from dupgroups.grouping.plan import Judge
from dupgroups.grouping.view import View
from dupgroups.methods.verdicts.base import RememberedJudge
from dupgroups.model import Linkage, Record, Seen, Verdict
from engines.documents import document, ids
from engines.stores import stored_in
from grouping.plans import NOBODY
from watched import Watched

engine_url = stored_in()  # the contract says what is alike on servers

RULE = GroupingRule(frozenset({"duplicate"}), 4)
NARROW = replace(RULE, candidates=1)
AVERAGE = replace(RULE, linkage="average")
FULLEST = replace(RULE, head="fullest")
READING = {"candidates", "resolve", "get", "members"}


def alike(a: Record, b: Record) -> Verdict:
    return Verdict("duplicate", 1.0, "")


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


def builder(store: Watched, rule: GroupingRule = RULE, judge: Judge = NOBODY) -> ViewBuilder:
    return ViewBuilder(store, rule, {"s1"}, RememberedJudge(judge))  # type: ignore[arg-type]


def new(id_: str, keys: str) -> Record:
    return document(id_, keys=keys, seen=9).record


def stored(store: Watched, names: str | Sequence[str]) -> list[Record]:
    return list(store.engine.get([*names]).values())


def arriving(store: Watched, *records: Record, rule: GroupingRule = RULE, judge: Judge = NOBODY) -> View:
    """The view for these records, with what the store has under their ids."""
    known = store.engine.get([record.id for record in records])
    return builder(store, rule, judge).view_arrivals(records, known, "now")


def regrouping(store: Watched, names: str | Sequence[str]) -> View:
    return builder(store).view_stored(stored(store, names), version="now")


def without(store: Watched, names: str | Sequence[str]) -> View:
    return builder(store).view_without(stored(store, names), version="now")


def candidates(view: View) -> dict[str, list[str]]:
    return {id_: ids(list(others)) for id_, others in view.nearby.candidates.items()}


# -- candidates


def test_candidates_are_those_of_the_store_and_then_the_earlier_ones_of_the_batch(store: Watched) -> None:
    view = arriving(store, new("z", "1"), new("y", "12"), new("x", "12"))
    assert candidates(view) == {"z": ["a", "c"], "y": ["c", "a", "z"], "x": ["c", "a", "y", "z"]}


def test_what_will_be_gone_is_not_a_candidate(store: Watched) -> None:
    """Of "c" the new text counts, not the stored one."""
    view = arriving(store, new("x", "12"), new("c", "7"))
    assert candidates(view)["x"] == ["a"]
    assert candidates(without(store, "a")) == {"c": []}


def test_what_is_put_together_anew_is_compared_within_the_batch_once_and_with_the_store(
    store: Watched,
) -> None:
    store.put([document("f", keys="2", seen=7)])
    assert candidates(regrouping(store, "c")) == {"a": [], "c": ["f", "a"]}
    assert candidates(arriving(store, new("c", "2"))) == {"a": [], "c": ["f"]}
    changed = document("a", keys="12", seen=1).record
    assert candidates(arriving(store, changed)) == {"a": ["f"], "c": ["f", "a"]}, "the later one with it"


def test_of_many_later_ones_those_are_candidates_that_are_compared_with_a_document() -> None:
    """As when they come one by one: each is compared with the nearest before it, of "y" that is "x"."""
    engine, rule = SQLiteEngine(), replace(RULE, candidates=9, max_compared_texts=1)
    keys = {"b": "1", "m": "12", "x": "23", "y": "23", "z": "12"}
    engine.put([document(id_, keys=own, seen=at) for at, (id_, own) in enumerate(keys.items(), 1)])

    def compared(record: Record, others: Sequence[Record]) -> Sequence[Record]:
        return sorted(others, key=lambda other: len({*other.signature.keys} - {*record.signature.keys}))[:1]

    store = Watched(engine)
    judge = RememberedJudge(NOBODY)
    built = ViewBuilder(store, rule, {"s1"}, judge, compared=compared)  # type: ignore[arg-type]
    assert candidates(built.view_stored(stored(store, "m"), version="now")) == {"m": ["b", "z", "x"]}
    assert store.names.count("candidates") == 2, "all of them are asked for at once"


def test_what_is_left_out_takes_no_place_of_what_is_not(store: Watched) -> None:
    """The nearest to "c" is itself; the limit is 1."""
    store.put([document("y", keys="12"), document("z", keys="12")])
    narrow = builder(store, NARROW)
    assert candidates(narrow.view_stored(stored(store, "a"), version="now")) == {"a": [], "c": ["y", "a"]}
    assert candidates(narrow.view_without(stored(store, "a"), version="now")) == {"c": ["y"]}
    assert candidates(arriving(store, new("x", "12"), rule=NARROW)) == {"x": ["c"]}


# -- groups


def test_groups_are_those_of_stored_candidates_by_the_age_of_what_names_them_now(store: Watched) -> None:
    view = arriving(store, new("z", "4"), new("y", "24"))
    assert view.nearby.groups == {"a": (1, "a"), "gone": (2, "b")}


def test_a_view_that_is_widened_asks_once_where_a_group_is_now(store: Watched) -> None:
    view = arriving(store, new("z", "24"), rule=AVERAGE, judge=alike)
    assert len(view.batch.regrouped) == 5
    asked = [label for labels in store.given("resolve") for label in labels]
    assert sorted(asked) == ["a", "gone"]


def test_a_group_whose_name_is_not_stored_is_the_oldest_and_gets_the_name_of_what_is_left(
    store: Watched,
) -> None:
    store.delete(["a"])
    view = arriving(store, new("z", "2"))
    assert view.nearby.groups == {"a": (0, "a")}
    assert view.nearby.oldest_outside == {"a": (3, "c")}


# -- documents that come again


def test_a_document_with_the_signature_that_it_had_opens_no_group(store: Watched) -> None:
    view = arriving(store, new("c", "12"))
    assert (ids(view.batch.records), view.batch.regrouped) == (["c"], frozenset())
    assert view.batch.former == {"c": "a"}
    assert view.nearby.oldest_outside == {"a": (1, "a")}
    assert view.batch.stored == store.engine.get(["c"])


# -- putting together anew, and without what is gone


OTHERS = [("g", "b"), ("h", "gone"), ("i", "b")]


def test_documents_that_cannot_be_judged_stay_where_they_are(store: Watched) -> None:
    store.put([document("f", "a", keys="8", seen=0, scheme="another")])
    for names, former in (("ac", {"a": "a", "c": "a"}), ("f", {"a": "a", "c": "a", "f": "a"})):
        view = regrouping(store, names)
        assert (ids(view.batch.records), view.nearby.oldest_outside) == (["a", "c"], {"a": (0, "f")})
        assert former.items() <= view.batch.former.items()
    view = without(store, "a")
    assert (ids(view.batch.records), view.nearby.oldest_outside) == (["c"], {"a": (0, "f")})
    store.put([document(id_, group, scheme="another", seen=at) for at, (id_, group) in enumerate(OTHERS)])
    assert regrouping(store, "d").nearby.oldest_outside == {"b": (0, "g")}, (
        "the oldest under any name of the group"
    )
    signed_anew = arriving(store, new("f", "1"))
    assert (ids(signed_anew.batch.records), signed_anew.nearby.oldest_outside) == (["a", "c", "f"], {})


# -- heads


def standing(view: View) -> dict[str, list[str]]:
    return {group: ids(list(records)) for group, records in view.nearby.head_candidates.items()}


def test_heads_are_asked_for_once_and_only_where_they_are_elected(store: Watched) -> None:
    assert standing(arriving(store, new("z", "4"), new("y", "24"))) == {}
    assert "heads" not in store.names
    view = arriving(store, new("z", "4"), new("y", "24"), rule=FULLEST)
    assert standing(view) == {"a": ["a"], "b": ["b"]}
    assert store.given("heads") == [["a", "b"]]
    assert view.seen is not None
    assert set(view.seen.records) == {"z", "y", "a", "b"}


def test_of_a_group_without_a_head_all_members_are_looked_at(store: Watched) -> None:
    store.engine.put([document("long", "a", seen=9, length=7)], labels={"a": "a"}, heads={"a": "nobody"})
    assert standing(arriving(store, new("z", "1"), rule=FULLEST)) == {"a": ["long"]}


# -- large views


def test_of_a_huge_group_the_rest_stays_as_it_is() -> None:
    engine = SQLiteEngine()
    engine.put([document(f"a{at:04}", "a0000", keys="8", seen=at) for at in range(1_100)])
    store = Watched(engine)
    view = regrouping(store, ["a0000"])
    assert ids(view.batch.records) == [f"a{at:04}" for at in range(200)], "the oldest"
    assert view.nearby.oldest_outside == {"a0000": (200, "a0200")}
    said = Corrections(apart={("a0007", "a1099"): 1})
    kept_apart = ViewBuilder(store, RULE, {"s1"}, RememberedJudge(NOBODY), said)  # type: ignore[arg-type]
    seen = ids(kept_apart.view_stored(stored(store, ["a0000"]), version="now").batch.records)
    assert (len(seen), seen[-2:]) == (200, ["a0198", "a1099"])


LINKS = 150  # documents or groups, each tied to the next one only


@pytest.mark.parametrize("linkage", ["closure", "average"])
def test_a_view_goes_on_until_nothing_half_moved_meets_it(linkage: Linkage) -> None:
    """Groups "n1", "n2", ... of two, whose second members still have a former name; "end" meets the first."""
    engine = SQLiteEngine()
    engine.put([document("end", keys="0", seen=1)])
    for at in range(1, 9):
        engine.put([document(f"n{at}", keys=[f"{at}"], seen=10 * at), document(f"gone{at}")])
        engine.put([], moves={f"gone{at}": f"n{at}"})
        engine.delete([f"gone{at}"])
        engine.put([document(f"m{at}", f"gone{at}", keys=[f"{at - 1}", f"{at}"], seen=10 * at + 2)])
    store = Watched(engine)
    view = builder(store, replace(RULE, linkage=linkage)).view_stored(stored(store, ["end"]), version="now")
    assert view.batch.regrouped == {"end", *(f"{name}{at}" for name in "nm" for at in range(1, 9))}
    assert not view.is_cut


@pytest.mark.parametrize(
    ("keys", "arriving_with", "regrouped", "is_cut"),
    [("x 0", 0, 102, True), ("x 0", 30, LINKS, False), ("n0 1", 0, LINKS - 1, False)],
    ids=["one document", "many", "one that leaves its group"],
)
def test_the_more_arrive_or_leave_their_groups_the_further_their_frontier_reaches(
    keys: str, arriving_with: int, regrouped: int, is_cut: bool
) -> None:
    """With average linkage every group that is tied to the view would have to be put together anew."""
    engine = SQLiteEngine()
    engine.put([document(f"n{at}", keys=[f"{at}", f"{at + 1}"], seen=at) for at in range(LINKS)])
    others = (new(f"y{at}", f"y{at}") for at in range(arriving_with))
    view = arriving(Watched(engine), new(*keys.split()), *others, rule=AVERAGE, judge=alike)
    assert (len(view.batch.regrouped), view.is_cut) == (regrouped, is_cut)


# -- versions


def test_what_is_seen_are_the_versions_that_the_store_read_of_the_batch(store: Watched) -> None:
    """Not those of what is written: that comes from elsewhere, and has none."""
    versions = {record.id: record.version for record in stored(store, "ac")}
    assert regrouping(store, "c").seen == Seen("now", versions)
    assert arriving(store, new("x", "7"), new("c", "7")).seen == Seen("now", {**versions, "x": None})
    known = {"a": replace(document("a").record, version=7)}
    assert builder(Watched(SQLiteEngine())).view_arrivals([new("a", "7")], known, 3).seen == Seen(3, {"a": 7})
