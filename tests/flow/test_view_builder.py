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
from dupgroups.model import Record, Verdict
from engines.documents import document, ids
from grouping.plans import NOBODY
from watched import Watched

RULE = GroupingRule(frozenset({"duplicate"}), 4)
AVERAGE = replace(RULE, linkage="average")
FULLEST = replace(RULE, head="fullest")


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
