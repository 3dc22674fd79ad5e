"""One look at a store, on every engine: what a plan gets to know of it, and that nothing is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from dupgroups.engines import Engine
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.flow import frontier
from dupgroups.flow.view_builder import ViewBuilder
from dupgroups.grouping import Rule, View
from dupgroups.model import Record, Seen, Verdict
from engines.documents import document, ids
from grouping.plans import NOBODY
from watched import Watched

RULE = Rule(frozenset({"duplicate"}), 4)
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


def builder(store: Watched, rule: Rule = RULE) -> ViewBuilder:
    return ViewBuilder(store, rule, {"s1"}, NOBODY)  # type: ignore[arg-type]


def new(id_: str, keys: str) -> Record:
    return document(id_, keys=keys, seen=9).record


def stored(store: Watched, names: str | Sequence[str]) -> list[Record]:
    return list(store.engine.get([*names]).values())


def arriving(store: Watched, *records: Record, rule: Rule = RULE) -> View:
    """The view for these records, with what the store has under their ids."""
    known = store.engine.get([record.id for record in records])
    return builder(store, rule).arriving(records, known, "now")


def regrouping(store: Watched, names: str | Sequence[str]) -> View:
    return builder(store).regrouping(stored(store, names), version="now")


def without(store: Watched, names: str | Sequence[str]) -> View:
    return builder(store).without(stored(store, names), version="now")


def candidates(view: View) -> dict[str, list[str]]:
    return {id_: ids(list(others)) for id_, others in view.candidates.items()}


# -- candidates


def test_candidates_are_those_of_the_store_and_then_the_earlier_ones_of_the_batch(store: Watched) -> None:
    view = arriving(store, new("z", "1"), new("y", "12"), new("x", "12"))
    assert candidates(view) == {"z": ["a", "c"], "y": ["c", "a", "z"], "x": ["c", "a", "y", "z"]}
    assert set(store.names) <= READING
    assert store.names.count("candidates") == 1


def test_of_store_and_batch_the_nearest_within_the_limit(store: Watched) -> None:
    batch = [new("z", "1"), new("w", "1"), new("y", "12"), new("x", "12")]
    view = arriving(store, *batch, rule=Rule(frozenset(), 1))
    assert candidates(view)["x"] == ["c", "y"]


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


def test_what_is_left_out_takes_no_place_of_what_is_not(store: Watched) -> None:
    """The nearest to "c" is itself; the limit is 1."""
    store.put([document("y", keys="12"), document("z", keys="12")])
    rule = Rule(frozenset(), 1)
    narrow = builder(store, rule)
    assert candidates(narrow.regrouping(stored(store, "a"), version="now")) == {"a": [], "c": ["y", "a"]}
    assert candidates(narrow.without(stored(store, "a"), version="now")) == {"c": ["y"]}
    assert candidates(arriving(store, new("x", "12"), rule=rule)) == {"x": ["c"]}


# -- groups


def test_groups_are_those_of_stored_candidates_by_the_age_of_what_names_them_now(store: Watched) -> None:
    view = arriving(store, new("z", "4"), new("y", "24"))
    assert view.groups == {"a": (1, "a"), "gone": (2, "b")}
    assert store.given("resolve")[-1] == ["a", "gone"]


def test_only_who_names_a_group_and_is_no_candidate_is_read(store: Watched) -> None:
    arriving(store, new("x", "1"), new("y", "5"))  # meet "a" and "e", which name their groups
    assert store.given("get") == []
    arriving(store, new("x", "2"))  # meets "c"
    assert store.given("get") == [["a"]]


def test_heads_are_asked_for_once_and_only_where_they_are_elected(store: Watched) -> None:
    view = arriving(store, new("z", "4"), new("y", "24"))
    assert (view.standing, "heads" in store.names) == ({}, False)
    view = arriving(store, new("z", "4"), new("y", "24"), rule=replace(RULE, head="fullest"))
    assert {group: ids(list(records)) for group, records in view.standing.items()} == {"a": ["a"], "b": ["b"]}
    assert store.given("heads") == [["a", "b"]]
    assert view.seen is not None
    assert set(view.seen.records) == {"z", "y", "a", "b"}


def test_of_a_group_without_a_head_all_members_are_looked_at(store: Watched) -> None:
    store.engine.put([document("long", "a", seen=9, length=7)], labels={"a": "a"}, heads={"a": "nobody"})
    view = arriving(store, new("z", "1"), rule=replace(RULE, head="fullest"))
    assert {group: ids(list(records)) for group, records in view.standing.items()} == {"a": ["long"]}


def test_of_a_group_that_is_left_the_heads_are_known_without_asking(store: Watched) -> None:
    store.engine.put([document("long", "a", seen=9, length=7)])
    changed = replace(stored(store, "c")[0], fingerprint="new")
    for head, expected in (("oldest", ["a"]), ("fullest", ["a", "long"])):
        view = arriving(store, changed, rule=replace(RULE, head=head))
        assert ids(list(view.standing["a"])) == expected
    assert "heads" not in store.names


def test_groups_of_the_batch_itself_are_not_asked_for(store: Watched) -> None:
    view = regrouping(store, "ac")
    assert view.groups == {}


def test_a_group_whose_name_is_not_stored_is_the_oldest_and_gets_the_name_of_what_is_left(
    store: Watched,
) -> None:
    store.delete(["a"])
    view = arriving(store, new("z", "2"))
    assert view.groups == {"a": (0, "a")}
    assert view.left_behind == {"a": (3, "c")}


def test_a_group_that_has_its_name_is_not_read_whole_for_a_candidate(store: Watched) -> None:
    view = arriving(store, new("z", "1"))
    assert view.left_behind == {}
    assert store.given("members") == []


# -- documents that come again


def test_a_document_with_the_signature_that_it_had_opens_no_group(store: Watched) -> None:
    view = arriving(store, new("c", "12"))
    assert (ids(view.records), view.regrouped) == (["c"], frozenset())
    assert view.former == {"c": "a"}
    assert view.left_behind == {"a": (1, "a")}
    assert view.stored == store.engine.get(["c"])


def test_a_document_with_another_signature_opens_its_group(store: Watched) -> None:
    store.put([document("f", "a", keys="8", seen=2)])
    view = arriving(store, new("x", "7"), new("c", "7"))
    assert ids(view.records) == ["a", "f", "x", "c"], "stored ones first, the oldest first"
    assert view.regrouped == {"a", "f"}
    assert view.former == {"a": "a", "c": "a", "f": "a"}
    assert view.stored == store.engine.get(["a", "c", "f"])
    assert view.left_behind == {}


def test_only_the_groups_that_somebody_may_leave_are_opened(store: Watched) -> None:
    view = arriving(store, new("c", "12"), new("b", "7"))
    assert ids(view.records) == ["gone", "c", "b"]
    assert view.former == {"b": "b", "c": "a", "gone": "b"}
    assert view.left_behind == {"a": (1, "a")}


def test_the_members_of_a_group_are_read_once(store: Watched) -> None:
    average = replace(RULE, linkage="average")
    nearest = ViewBuilder(store, average, {"s1"}, lambda a, b: Verdict("duplicate", 1.0, ""))  # type: ignore[arg-type]
    view = nearest.arriving([new("x", "2")], {}, "now")
    assert {record.id for record in view.records} == {"a", "c", "x"}
    read = [group for groups in store.given("members") for group in groups]
    assert sorted(read) == sorted(set(read))
    assert "a" in read


def test_a_group_whose_label_was_not_carried_out_is_opened_with_the_document_that_has_it(
    store: Watched,
) -> None:
    assert ids(arriving(store, new("d", "7")).records) == ["b", "gone", "d"]


def test_a_document_that_is_not_stored_opens_nothing(store: Watched) -> None:
    view = arriving(store, new("x", "7"))
    assert view == View(records=[new("x", "7")], candidates={"x": []}, seen=Seen("now", {"x": None}))


# -- putting together anew


@pytest.mark.parametrize(
    ("names", "regrouped"),
    [
        ("a", "ac"),
        ("c", "ac"),
        ("e", "e"),
        ("ce", "ace"),
        ("", ""),
    ],
)
def test_all_members_of_the_groups_are_put_together_anew(store: Watched, names: str, regrouped: str) -> None:
    view = regrouping(store, names)
    assert view.regrouped == set(regrouped)
    assert ids(view.records) == list(regrouped)
    assert view.stored == store.engine.get([*regrouped])
    assert set(store.names) <= READING


def test_a_label_with_a_redirect_opens_both_groups(store: Watched) -> None:
    """The label of "d" is "gone", which is "b" now."""
    view = regrouping(store, "d")
    assert ids(view.records) == ["b", "gone", "d"]
    assert view.former == {"b": "b", "gone": "b", "d": "b"}
    assert view.left_behind == {}


def test_a_group_of_which_a_member_was_not_asked_for_is_whole_all_the_same(store: Watched) -> None:
    store.delete(["a"])
    view = regrouping(store, "c")
    assert (ids(view.records), view.former, view.left_behind) == (["c"], {"c": "a"}, {})


def test_of_a_huge_group_the_rest_stays_as_it_is(store: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    store.put([document(f"f{at}", "a", keys="8", seen=10 + at) for at in range(4)])
    monkeypatch.setattr(frontier, "FELLOWS", 3)
    view = regrouping(store, ["a"])
    assert ids(view.records) == ["a", "c", "f0"], "the oldest"
    assert view.left_behind == {"a": (11, "f1")}
    assert candidates(view)["f0"] == ["f1", "f2", "f3"]
    assert view.groups == {"a": (1, "a")}


def test_what_arrives_is_never_cut_off_a_huge_group(store: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    store.put([document(f"f{at}", "a", keys="8", seen=10 + at) for at in range(4)])
    monkeypatch.setattr(frontier, "FELLOWS", 1)
    view = arriving(store, new("c", "7"), new("f0", "7"))
    assert ids(view.records) == ["a", "c", "f0"]
    assert view.left_behind == {"a": (11, "f1")}


def test_documents_that_cannot_be_judged_stay_where_they_are(store: Watched) -> None:
    store.put([document("f", "a", keys="8", seen=0, scheme="another")])
    view = regrouping(store, "ac")
    assert ids(view.records) == ["a", "c"]
    assert view.left_behind == {"a": (0, "f")}
    alone = regrouping(store, "f")
    assert (ids(alone.records), alone.left_behind) == (["a", "c"], {"a": (0, "f")})
    assert alone.former["f"] == "a"


def test_a_document_that_is_signed_anew_is_judged_whatever_its_stored_scheme(store: Watched) -> None:
    store.put([document("f", "a", keys="8", seen=0, scheme="another")])
    view = arriving(store, new("f", "1"))
    assert ids(view.records) == ["a", "c", "f"]
    assert view.left_behind == {}


CHAIN = 9  # documents, each tied to the next one only


def chain() -> SQLiteEngine:
    """Groups "n1", "n2", ... of two, whose second members still have a former name; "end" meets the first."""
    engine = SQLiteEngine()
    engine.put([document("end", keys="0", seen=1)])
    for at in range(1, CHAIN):
        engine.put(
            [
                document(f"n{at}", keys=[f"{at}"], seen=10 * at),
                document(f"gone{at}", keys=["no"], seen=10 * at + 1),
            ]
        )
        engine.put([], moves={f"gone{at}": f"n{at}"})
        engine.delete([f"gone{at}"])
        engine.put([document(f"m{at}", f"gone{at}", keys=[f"{at - 1}", f"{at}"], seen=10 * at + 2)])
    return engine


def test_a_view_goes_on_until_nothing_half_moved_meets_it() -> None:
    store = Watched(chain())
    view = regrouping(store, ["end"])
    expected = {"end", *(f"{name}{at}" for name in "nm" for at in range(1, CHAIN))}
    assert view.regrouped == expected
    assert not view.is_cut


def test_a_view_that_leaves_out_what_depends_on_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frontier, "FELLOWS", 6)
    view = regrouping(Watched(chain()), ["end"])
    assert len(view.regrouped) == 6
    assert view.is_cut


def test_a_frontier_that_is_cut_off_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """With average linkage every group that is tied to the view would have to be put together anew."""
    tied = Rule(frozenset({"duplicate"}), 4, linkage="average")
    for fellows, is_cut in ((100, False), (3, True)):
        monkeypatch.setattr(frontier, "FELLOWS", fellows)
        engine = SQLiteEngine()
        engine.put([document(f"n{at}", keys=[f"{at}", f"{at + 1}"], seen=at) for at in range(CHAIN)])
        nearest = ViewBuilder(engine, tied, {"s1"}, lambda a, b: Verdict("duplicate", 1.0, ""))
        view = nearest.arriving([new("x", "0")], {}, "now")
        assert view.is_cut == is_cut
        assert (len(view.regrouped) < CHAIN) == is_cut


def test_a_large_batch_does_not_cut_its_frontier_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frontier, "FELLOWS", 3)
    engine = SQLiteEngine()
    engine.put([document("a", keys="0", seen=1)])
    tied = Rule(frozenset({"duplicate"}), 4, linkage="average")
    nearest = ViewBuilder(engine, tied, {"s1"}, lambda a, b: Verdict("duplicate", 1.0, ""))
    view = nearest.arriving([new(name, "0") for name in "uvwxyz"], {}, "now")
    assert (view.regrouped, view.is_cut) == ({"a"}, False)


# -- without


def test_the_groups_are_seen_as_they_are_without_what_is_gone(store: Watched) -> None:
    view = without(store, "a")
    assert (ids(view.records), view.regrouped) == (["c"], {"c"})
    assert view.former == {"a": "a", "c": "a"}
    assert (view.left_behind, view.groups) == ({}, {})
    assert set(view.stored) == {"a", "c"}


def test_nothing_is_left_of_a_group_whose_documents_are_all_gone(store: Watched) -> None:
    view = without(store, "ace")
    assert (view.records, view.left_behind) == ([], {})
    assert view.former == {"a": "a", "c": "a", "e": "e"}
    assert view.candidates == {}


def test_what_cannot_be_judged_is_left_when_the_others_are_gone(store: Watched) -> None:
    store.put([document("f", "a", keys="8", seen=10, scheme="another")])
    view = without(store, "a")
    assert (ids(view.records), view.left_behind) == (["c"], {"a": (10, "f")})


# -- versions


def test_what_is_seen_are_the_versions_of_the_batch(store: Watched) -> None:
    versions = {record.id: record.version for record in stored(store, "ac")}
    assert regrouping(store, "c").seen == Seen("now", versions)
    assert arriving(store, new("x", "7"), new("c", "7")).seen == Seen("now", {**versions, "x": None})


def test_a_version_is_the_one_that_the_store_read() -> None:
    """Not what is written: that comes from elsewhere, and has none."""
    numbered = {"a": replace(document("a").record, version=7)}
    view = ViewBuilder(SQLiteEngine(), RULE, {"s1"}, NOBODY).arriving(
        [new("a", "7"), new("x", "7")], numbered, 3
    )
    assert view.seen == Seen(3, {"a": 7, "x": None})


def test_looking_at_nothing(store: Watched) -> None:
    for view in (arriving(store), regrouping(store, ""), without(store, "")):
        assert view == View(records=[], seen=Seen("now", {}))
    assert not any(asked for reading in ("candidates", "resolve", "get") for asked in store.given(reading))
