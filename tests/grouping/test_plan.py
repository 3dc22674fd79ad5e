"""Every rule of the plan, on values: what is written, which groups move, what becomes of each document."""

from __future__ import annotations

import pytest

from dupgroups.grouping import Plan, Rule, View, plan
from dupgroups.model import Outcome, Record, Relation, Seen, Verdict
from grouping.plans import NOBODY, groups, planned, regrouped, states
from grouping.values import RULE, PairJudge, record

# what is stored: "a" and "b" each alone, "c" in the group of "a"
A, B = record("a", age=1), record("b", age=2)
C = record("c", group="a", age=3)
GROUPS = {"a": A.age, "b": B.age}


def test_an_empty_plan_for_no_records() -> None:
    assert plan(View(), NOBODY, RULE) == Plan()


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


def test_the_strongest_verdicts_are_stored_with_a_document() -> None:
    scores = {"a": 0.6, "b": 0.9, "c": 0.6, "d": 0.7, "e": 0.5, "f": 0.8, "g": 0.1}
    relation: dict[str, Relation] = {"g": "near"}

    def judge(one: Record, two: Record) -> Verdict:
        return Verdict(relation.get(two.id, "duplicate"), scores[two.id], "")

    one, others = record("z"), [record(id_) for id_ in scores]
    rule = Rule(RULE.join, RULE.candidates, "closure")
    ages = {other.id: other.age for other in others}
    (put,) = plan(View(records=[one], candidates={"z": others}, groups=ages), judge, rule).puts
    assert [(tie.other, tie.score) for tie in put.ties] == [
        ("b", 0.9), ("f", 0.8), ("d", 0.7), ("a", 0.6), ("c", 0.6)
    ]  # fmt: skip
    assert {tie.relation for tie in put.ties} == {"duplicate"}


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


def test_a_candidate_with_a_label_whose_redirect_was_not_carried_out_stands_for_the_group_it_leads_to() -> (
    None
):
    """The store says that the group "old" is "a" now; what still has the old label is left to settling."""
    straggler = record("s", group="old", age=3)
    made = planned([record("x", age=9)], "xs", candidates={"x": [straggler]}, groups={"old": A.age})
    assert (groups(made), made.moves, states(made)) == ({"x": "a"}, {}, {"x": "joined"})
    seen = {"x": [straggler, A]}
    made = planned([record("x", age=9)], "xs", "xa", candidates=seen, groups={"old": B.age, "a": A.age})
    assert (groups(made), made.moves) == ({"x": "a"}, {"b": "a"})


def test_a_group_that_loses_its_name_is_named_by_its_oldest_other_member() -> None:
    made = planned([record("a", age=1)], stored={"a": A}, former={"a": "a"}, left_behind={"a": (3, "c")})
    assert (groups(made), made.moves, states(made)) == ({"a": "a"}, {"a": "c"}, {"a": "updated"})


def test_a_group_that_loses_its_name_without_a_batch() -> None:
    made = plan(View(former={"a": "a"}, left_behind={"a": (3, "c")}), NOBODY, RULE)
    assert made == Plan(moves={"a": "c"}, labels={"c": "c"})


def test_a_document_that_leaves_and_comes_back_at_once_keeps_its_name() -> None:
    made = planned(
        [record("a", age=1)], "ac", candidates={"a": [C]}, groups=GROUPS, stored={"a": A},
        left_behind={"a": C.age},
    )  # fmt: skip
    assert (groups(made), made.moves) == ({"a": "a"}, {})


def test_the_rest_of_a_group_is_as_old_as_its_oldest_member() -> None:
    """Left by "a" (age 1), the rest (age 3) meets the group of "b" (age 2), and takes its name."""
    made = planned(
        [record("a", age=1), record("x", age=9)], "xc", "xb", candidates={"x": [C, B]}, groups=GROUPS,
        stored={"a": A}, left_behind={"a": C.age},
    )  # fmt: skip
    assert (groups(made), made.moves) == ({"a": "a", "x": "b"}, {"a": "b"})
    assert states(made) == {"a": "updated", "x": "merged"}


# -- stored documents that are grouped anew


D = record("d", group="a", age=4)


def test_a_group_that_still_belongs_together_is_not_written() -> None:
    made = regrouped([A, C, D], "ca", "dc")
    assert (made.puts, made.moves, made.labels) == ((), {}, {})
    assert {id_: outcome.group for id_, outcome in made.outcomes.items()} == {"a": "a", "c": "a", "d": "a"}


def test_what_nothing_holds_together_comes_apart() -> None:
    made = regrouped([A, C, D], "dc")
    assert (made.puts, made.moves, made.labels) == ((), {}, {"c": "c", "d": "c"})
    assert states(made) == {"a": "updated", "c": "updated", "d": "updated"}


def test_a_group_goes_as_a_whole_where_it_meets_an_older_one() -> None:
    made = regrouped([B], "bc", candidates={"b": [C]}, groups={"a": A.age})
    assert (made.moves, made.labels) == ({"b": "a"}, {})


def test_a_name_that_no_group_has_any_longer_leads_to_the_oldest_member() -> None:
    """Without the document that gave it: that one has gone elsewhere."""
    gone = regrouped([C, D], former={"a": "a", "c": "a", "d": "a"})
    assert (gone.moves, gone.labels) == ({"a": "c"}, {"c": "c", "d": "d"})
    older = record("z", age=0)
    left = regrouped(
        [C, D],
        *("dc", "az"),
        arriving=[A],
        stored=[A],
        candidates={"a": [older]},
        groups={"z": older.age},
    )
    assert (groups(left), left.moves, left.labels) == ({"a": "z"}, {"a": "c"}, {"c": "c"})
    alone = regrouped([A], "az", candidates={"a": [older]}, groups={"z": older.age})
    assert alone.moves == {"a": "z"}


def test_a_document_that_changes_its_story_keeps_its_name_and_the_others_get_another() -> None:
    made = regrouped([C, D], "dc", arriving=[A], stored=[A])
    assert (groups(made), made.moves, made.labels) == ({"a": "a"}, {}, {"c": "c", "d": "c"})


def test_a_document_whose_label_was_not_carried_out_gets_that_of_its_group() -> None:
    straggler = record("s", group="old", age=3)
    made = regrouped([straggler], "sa", candidates={"s": [A]}, groups={"a": A.age}, former={"s": "a"})
    assert (made.moves, made.labels) == ({}, {"s": "a"})


def test_a_document_that_has_its_group_by_a_redirect_only_is_written_to_end_it() -> None:
    """It bears its name and is alone; a redirect says that its group went into another one."""
    made = regrouped([A, record("s", age=3)], former={"s": "a", "a": "a"})
    assert (made.moves, made.labels) == ({}, {"s": "s"})


def test_members_outside_of_the_batch_keep_their_group_together() -> None:
    """Of a huge group some are grouped anew: what joins none of the rest gets a group of its own."""
    made = regrouped([A, C], left_behind={"a": D.age}, candidates={"c": [D]}, groups={"a": A.age})
    assert made.moves == {"a": "d"}
    assert made.labels == {"a": "a", "c": "c", "d": "d"}


def test_a_plan_says_what_it_rests_on() -> None:
    seen = Seen(7, {"x": None})
    assert planned([record("x")], seen=seen).seen is seen
