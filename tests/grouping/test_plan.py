"""Every rule of the plan, on values: what is written, which groups move, what becomes of each document."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields

import pytest

from dupgroups.grouping import Plan, Rule, View, plan, sort_arrivals
from dupgroups.grouping.key_index import candidates_in_batch
from dupgroups.model import Outcome, Record, Relation, Verdict
from grouping.plans import NOBODY, groups, planned, states
from grouping.values import RULE, PairJudge, ids, record


def refuse(a: Record, b: Record) -> bool:
    raise AssertionError("nothing is asked")


# what is stored: "a" and "b" each alone, "c" in the group of "a"
A, B = record("a", age=1), record("b", age=2)
C = record("c", group="a", age=3)
GROUPS = {"a": A.age, "b": B.age}


def test_an_empty_plan_for_no_records() -> None:
    made = plan(View(), NOBODY, RULE)
    assert made == Plan()


# -- one document


def test_a_document_that_joins_nothing_is_new_and_alone() -> None:
    made = planned([record("x", age=9)], candidates={"x": [A]}, groups=GROUPS)
    assert made.puts == (record("x", age=9),)
    assert (made.moves, made.touches) == ({}, ())
    assert made.outcomes == {"x": Outcome("x", "x", "new")}


def test_a_document_joins_the_group_of_its_candidate_with_the_verdict() -> None:
    made = planned([record("x", age=9)], "xc", candidates={"x": [C, B]}, groups=GROUPS)
    assert made.puts == (record("x", age=9, group="a"),)
    assert made.moves == {}
    verdicts = {"c": Verdict("duplicate", 1.0, "x to c")}
    assert made.outcomes == {"x": Outcome("x", "a", "joined", verdicts)}


def test_two_members_of_one_group_are_one_group() -> None:
    made = planned([record("x", age=9)], "xa", "xc", candidates={"x": [A, C]}, groups=GROUPS)
    assert (states(made), set(made.outcomes["x"].verdicts)) == ({"x": "joined"}, {"a", "c"})


@pytest.mark.parametrize("candidates", [[A, B], [B, A]])
def test_groups_that_meet_keep_the_older_name(candidates: list[Record]) -> None:
    made = planned([record("x", age=9)], "xa", "xb", candidates={"x": candidates}, groups=GROUPS)
    assert (groups(made), made.moves, states(made)) == ({"x": "a"}, {"b": "a"}, {"x": "merged"})


def test_three_groups_that_meet_are_merged() -> None:
    stored = [record(name, age=age) for name, age in (("p", 3), ("q", 1), ("r", 2))]
    made = planned(
        [record("x", age=9)],
        *("xp", "xq", "xr"),
        candidates={"x": stored},
        groups={other.id: other.age for other in stored},
    )
    assert (groups(made), made.moves, states(made)) == ({"x": "q"}, {"p": "q", "r": "q"}, {"x": "merged"})


def test_of_groups_of_one_age_the_smaller_id_names_both() -> None:
    stored = [record("q", age=5), record("p", age=5)]
    made = planned(
        [record("x", age=9)],
        *("xp", "xq"),
        candidates={"x": stored},
        groups={"p": (5, "p"), "q": (5, "q")},
    )
    assert (groups(made), made.moves) == ({"x": "p"}, {"q": "p"})


def test_a_group_takes_the_name_of_an_older_document() -> None:
    """As a backfill and a page that comes again may bring it."""
    made = planned([record("x", age=0)], "xc", candidates={"x": [C]}, groups=GROUPS)
    assert (groups(made), made.moves) == ({"x": "x"}, {"a": "x"})


@pytest.mark.parametrize("relation", ["contains", "contained", "near", "different", "too_short"])
def test_only_what_the_rule_joins_is_joined(relation: Relation) -> None:
    made = planned([record("x", age=9)], "xa", candidates={"x": [A]}, groups=GROUPS, relation=relation)
    assert made.outcomes == {"x": Outcome("x", "x", "new")}
    joining = Rule(frozenset({relation}), 64)
    made = planned(
        [record("x", age=9)], "xa", candidates={"x": [A]}, groups=GROUPS, relation=relation, rule=joining
    )
    assert made.outcomes["x"].verdicts["a"].relation == relation
    assert groups(made) == {"x": "a"}


def test_a_document_is_judged_against_its_candidates_in_their_order_and_nothing_else() -> None:
    judge = PairJudge.of("xb")
    plan(View(records=[record("x", age=9)], candidates={"x": [B, A]}, groups=GROUPS), judge, RULE)
    assert judge.asked == [("x", "b"), ("x", "a")]


# -- states


def test_a_document_without_keys_is_too_short_and_alone() -> None:
    made = planned([record("x", "")])
    assert made.outcomes == {"x": Outcome("x", "x", "too_short")}
    assert groups(made) == {"x": "x"}


@pytest.mark.parametrize("pairs", [[], ["xb"], ["xa", "xb"]])
@pytest.mark.parametrize("keys", ["k", ""])
def test_a_document_that_is_stored_is_updated_whatever_it_meets(pairs: list[str], keys: str) -> None:
    made = planned(
        [record("x", keys, age=9)], *pairs, candidates={"x": [A, B]}, groups=GROUPS, stored={"x": C}
    )
    assert states(made) == {"x": "updated"}


def test_what_came_again_as_it_is_is_touched_and_not_written() -> None:
    unchanged = {"c": C, "b": B}
    made = planned([record("x", age=9)], candidates={"x": []}, unchanged=unchanged)
    assert made.touches == ("c", "b")
    assert groups(made) == {"x": "x"}
    assert made.outcomes["c"] == Outcome("c", "a", "unchanged")
    assert states(made) == {"c": "unchanged", "b": "unchanged", "x": "new"}


def test_states_are_those_of_records_that_come_one_by_one() -> None:
    batch = [record(name, "" if name == "s" else "k", age=9 + age) for age, name in enumerate("vwsxyz")]
    made = planned(batch, "wv", "yx", "zv", "zw", "zx")
    assert states(made) == {
        "v": "new", "w": "joined", "s": "too_short", "x": "new", "y": "joined", "z": "merged"
    }  # fmt: skip
    assert groups(made) == {"v": "v", "w": "v", "s": "s", "x": "v", "y": "v", "z": "v"}


def test_a_group_that_this_batch_merged_counts_once_afterwards() -> None:
    batch = [record("x", age=9), record("y", age=10)]
    stored = {"x": [A, B], "y": [A, B]}
    made = planned(batch, "xa", "xb", "ya", "yb", candidates=stored, groups=GROUPS)
    assert states(made) == {"x": "merged", "y": "joined"}


# -- within a batch


def test_documents_of_one_batch_join_each_other() -> None:
    made = planned([record("y", age=1), record("x", age=2)], "xy")
    assert (groups(made), made.moves) == ({"y": "y", "x": "y"}, {})
    assert made.outcomes["x"].verdicts == {"y": Verdict("duplicate", 1.0, "x to y")}
    assert made.outcomes["y"].verdicts == {}


def test_the_oldest_of_a_batch_names_the_group_wherever_it_stands() -> None:
    made = planned([record("y", age=2), record("x", age=1)], "xy")
    assert groups(made) == {"y": "x", "x": "x"}


def test_of_one_age_the_smaller_id_names_the_group() -> None:
    made = planned([record("y", age=1), record("x", age=1)], "xy")
    assert groups(made) == {"y": "x", "x": "x"}


def test_a_batch_closes_what_no_pair_joins() -> None:
    """x and z share nothing, and neither meets the stored groups but through y and w."""
    batch = [record(name, age=age) for age, name in enumerate("xyzw", start=5)]
    stored = {"y": [C], "w": [B]}
    made = planned(batch, "yx", "zy", "wz", "yc", "wb", candidates=stored, groups=GROUPS)
    assert groups(made) == dict.fromkeys("xyzw", "a")
    assert made.moves == {"b": "a"}
    assert {outcome.group for outcome in made.outcomes.values()} == {"a"}


def test_a_batch_that_bridges_two_groups_moves_the_younger() -> None:
    batch = [record("x", age=8), record("y", age=9)]
    made = planned(batch, "xb", "ya", "yx", candidates={"x": [B], "y": [A]}, groups=GROUPS)
    assert (groups(made), made.moves) == ({"x": "a", "y": "a"}, {"b": "a"})
    assert states(made) == {"x": "joined", "y": "merged"}


# -- labels, names that are lost


def test_a_label_whose_redirect_was_not_carried_out_moves() -> None:
    """The store says that the group "old" is "a" now; "s" still has the old label."""
    straggler = record("s", group="old", age=3)
    seen = {"x": [straggler]}
    made = planned([record("x", age=9)], "xs", candidates=seen, groups={"old": A.age})
    assert (groups(made), made.moves, states(made)) == ({"x": "a"}, {"old": "a"}, {"x": "joined"})


def test_a_label_moves_even_where_nothing_is_joined() -> None:
    straggler = record("s", group="old", age=3)
    made = planned([record("x", age=9)], candidates={"x": [straggler]}, groups={"old": A.age})
    assert (groups(made), made.moves) == ({"x": "x"}, {"old": "a"})


def test_a_label_follows_its_group_when_that_is_merged() -> None:
    straggler = record("s", group="old", age=3)
    seen = {"x": [straggler, A]}
    made = planned([record("x", age=9)], "xs", "xa", candidates=seen, groups={"old": B.age, "a": A.age})
    assert (groups(made), made.moves) == ({"x": "a"}, {"old": "a", "b": "a"})


def test_a_group_that_loses_its_name_is_named_by_its_oldest_other_member() -> None:
    made = planned([record("a", age=1)], stored={"a": A}, left_behind={"a": (3, "c")})
    assert (groups(made), made.moves, states(made)) == ({"a": "a"}, {"a": "c"}, {"a": "updated"})


def test_a_group_that_loses_its_name_without_a_batch() -> None:
    made = plan(View(left_behind={"a": (3, "c")}), NOBODY, RULE)
    assert (made.puts, made.moves, made.outcomes) == ((), {"a": "c"}, {})


def test_a_document_that_leaves_and_comes_back_at_once_keeps_its_name() -> None:
    made = planned(
        [record("a", age=1)], "ac", candidates={"a": [C]}, groups=GROUPS, stored={"a": A},
        left_behind={"a": C.age},
    )  # fmt: skip
    assert (groups(made), made.moves) == ({"a": "a"}, {})


def test_what_is_left_behind_is_as_old_as_its_oldest_member() -> None:
    """Left by "a" (age 1), the rest (age 3) meets the group of "b" (age 2), and takes its name."""
    made = planned(
        [record("a", age=1), record("x", age=9)], "xc", "xb", candidates={"x": [C, B]}, groups=GROUPS,
        stored={"a": A}, left_behind={"a": C.age},
    )  # fmt: skip
    assert (groups(made), made.moves) == ({"a": "a", "x": "b"}, {"a": "b"})
    assert states(made) == {"a": "updated", "x": "merged"}


def test_within_a_batch_the_limit_keeps_the_nearest() -> None:
    """What shares most keys is judged; of those that share the same number, the smallest id."""
    batch = [record("b", "12"), record("a", "12"), record("c", "123"), record("x", "123", age=9)]
    [nearest] = list(candidates_in_batch(batch, limit=2))[3:]
    assert ids(nearest) == ["c", "a"]
    made = plan(View(records=batch, candidates={"x": nearest}), PairJudge.of("xa", "xb", "xc"), RULE)
    assert list(made.outcomes["x"].verdicts) == ["c", "a"]


@pytest.mark.parametrize("value", [View(), plan(View(), NOBODY, RULE), RULE, sort_arrivals([], {}, refuse)])
def test_views_plans_rules_and_arrivals_cannot_be_changed(value: object) -> None:
    for field in fields(value):  # type: ignore[arg-type]
        with pytest.raises(FrozenInstanceError):
            setattr(value, field.name, ())
    assert not hasattr(value, "__dict__")
