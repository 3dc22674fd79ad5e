"""What a plan makes of documents as they arrive, and of groups that are put together anew: on values.

Which groups there are, and what they are called, is in `test_plan_laws.py`.
"""

from dataclasses import replace
from typing import get_args

import pytest

from dupgroups.grouping.constraints import Corrections
from dupgroups.grouping.grouping_rule import GroupingRule
from dupgroups.grouping.plan import pairs_to_judge, plan
from dupgroups.grouping.publication_dates import DAY_MINUTES
from dupgroups.model import Outcome, Record, Relation, Seen, Verdict
from grouping.plans import NOBODY, groups, members, planned, regrouped, states, viewed
from grouping.values import RULE, PairJudge, record

# what is stored: "a" and "b" each alone, "c" in the group of "a"
A, B = record("a", age=1), record("b", age=2)
C = record("c", group="a", age=3)
GROUPS = {"a": A.age, "b": B.age}
X = record("x", age=9)


def test_a_document_joins_the_group_of_its_candidate_with_the_verdict() -> None:
    made = planned([X], "xc", candidates={"x": [C, B]}, groups=GROUPS)
    assert (made.puts, made.moves) == ((record("x", age=9, group="a"),), {})
    assert made.outcomes == {"x": Outcome("x", "a", "joined", {"c": Verdict("duplicate", 1.0, "x to c")})}


def test_the_strongest_verdicts_are_stored_with_a_document() -> None:
    scores = {"a": 0.6, "b": 0.9, "c": 0.6, "d": 0.7, "e": 0.5, "f": 0.8, "g": 0.1}
    relation: dict[str, Relation] = {"g": "near"}

    def judge(one: Record, two: Record) -> Verdict:
        return Verdict(relation.get(two.id, "duplicate"), scores[two.id], "")

    one, others = record("z"), [record(id_) for id_ in scores]
    ages = {other.id: other.age for other in others}
    (put,) = plan(viewed([one], candidates={"z": others}, groups=ages), judge, RULE).puts
    assert [(tie.other, tie.score) for tie in put.ties] == [
        ("b", 0.9), ("f", 0.8), ("d", 0.7), ("a", 0.6), ("c", 0.6)
    ]  # fmt: skip
    assert {tie.relation for tie in put.ties} == {"duplicate"}


@pytest.mark.parametrize("relation", get_args(Relation))
def test_only_what_the_rule_joins_is_joined(relation: Relation) -> None:
    others = frozenset(get_args(Relation)) - {relation}
    for join, state in ((frozenset({relation}), "joined"), (others, "new"), (frozenset(), "new")):
        rule = GroupingRule(join, 64)
        made = planned([X], "xa", candidates={"x": [A]}, groups=GROUPS, relation=relation, rule=rule)
        assert (states(made), groups(made)) == ({"x": state}, {"x": "a" if state == "joined" else "x"})


def test_a_document_is_judged_against_its_candidates_in_their_order_and_nothing_else() -> None:
    judge = PairJudge.of("xb")
    plan(viewed([X], candidates={"x": [B, A]}, groups=GROUPS), judge, RULE)
    assert judge.asked == [("x", "b"), ("x", "a")]


def test_the_pairs_to_judge_are_those_that_a_plan_asks_for() -> None:
    """What people said needs no judge, nor does what was published too many days apart."""
    late = replace(record("d", age=4), published=9 * DAY_MINUTES)
    new = replace(X, published=DAY_MINUTES)
    said = Corrections({}, {("b", "x"): 1})
    view = viewed([record("y", age=8), new], candidates={"x": [A, B, late]}, groups=GROUPS, corrections=said)
    rule, judge = replace(RULE, within_days=3), PairJudge.of()
    plan(view, judge, rule)
    pairs = [(one.id, other.id) for one, other in pairs_to_judge(view, rule)]
    assert pairs == judge.asked == [("x", "a")]


def test_a_document_that_people_keep_with_one_of_a_group_needs_no_ties_to_the_others() -> None:
    said = Corrections({}, {("a", "x"): 7})
    seen = {"candidates": {"x": [A]}, "groups": GROUPS, "sizes": {"a": 9}}
    average = GroupingRule(RULE.join, 64, "average")
    assert groups(planned([X], "xa", rule=average, **seen)) == {"x": "x"}
    assert groups(planned([X], rule=average, corrections=said, **seen)) == {"x": "a"}
    assert groups(plan(viewed([X]), NOBODY, average)) == {"x": "x"}, "nothing is near it"


def test_of_groups_that_elect_no_heads_only_the_pinned_ones_are_told() -> None:
    said, alone = Corrections(heads={"x": 1}), record("y", age=8)
    made = planned([X, alone], "xa", candidates={"x": [A]}, groups=GROUPS, corrections=said)
    assert (groups(made), made.heads) == ({"x": "a", "y": "y"}, {"a": "x"})


# -- states


@pytest.mark.parametrize(
    ("pairs", "keys", "state"),
    [
        ([], "", "too_short"),
        (["xa", "xc"], "k", "joined"),  # two members of one group are one group
        (["xa", "xb"], "k", "merged"),
    ],
)
def test_the_state_of_a_document(pairs: list[str], keys: str, state: str) -> None:
    one, seen = record("x", keys, age=9), {"x": [A, B, C]}
    assert states(planned([one], *pairs, candidates=seen, groups=GROUPS)) == {"x": state}
    made = planned([one], *pairs, candidates=seen, groups=GROUPS, stored={"x": C})
    assert states(made) == {"x": "updated"}, "if it was stored before, whatever it meets"


def test_a_document_without_a_text_is_no_article() -> None:
    textless = replace(record("x", ""), length=0)
    assert states(planned([textless], candidates={"x": []})) == {"x": "not_article"}


# -- labels


def test_a_label_whose_redirect_was_not_carried_out_stands_for_the_group_it_leads_to() -> None:
    """The store says that the group "old" is "a" now; what still has the old label is left to settling."""
    straggler = record("s", group="old", age=3)
    made = planned([X], "xs", candidates={"x": [straggler]}, groups={"old": A.age})
    assert (groups(made), made.moves, states(made)) == ({"x": "a"}, {}, {"x": "joined"})
    seen = {"x": [straggler, A]}
    made = planned([X], "xs", "xa", candidates=seen, groups={"old": B.age, "a": A.age})
    assert (groups(made), made.moves) == ({"x": "a"}, {"b": "a"})


def test_a_group_that_loses_its_name_is_named_by_its_oldest_other_member() -> None:
    made = planned([record("a", age=1)], stored={"a": A}, former={"a": "a"}, oldest_outside={"a": (3, "c")})
    assert (groups(made), made.moves, states(made)) == ({"a": "a"}, {"a": "c"}, {"a": "updated"})


def test_a_plan_says_what_it_rests_on() -> None:
    seen = Seen(7, {"x": None, "a": 3})
    assert planned([X], seen=seen).seen is seen
    assert planned([X]).seen is None


# -- groups that are put together anew: what moves, who gets a label, where lost names lead


def test_a_stored_label_with_a_redirect_elsewhere_becomes_a_label_of_the_document() -> None:
    """The redirect from "s" to "a" was written, the label of "s" was not, and "s" is on its own again."""
    s = record("s", age=3)
    made = regrouped([A, s], former={"s": "a"})
    assert made.labels == {"s": "s"}, "only so the redirect ends"
    assert regrouped([A, s], "as", former={"s": "a"}).labels == {"s": "a"}


def test_who_names_a_group_from_now_on_gets_a_label_though_a_move_brings_it_there() -> None:
    """It may have been merged away before: only its label ends the redirect."""
    made = regrouped(members("abc")[1:], "bc", former={"a": "a"})
    assert (made.moves, made.labels) == ({"a": "b"}, {"b": "b"})


def test_who_names_what_is_left_outside_from_now_on_gets_a_label_too() -> None:
    made = plan(viewed(oldest_outside={"a": (3, "c"), "b": (2, "b")}), NOBODY, RULE)
    assert (made.moves, made.labels) == ({"a": "c"}, {"c": "c"})
    met = viewed(
        records=[record("x", age=9)], candidates={"x": [C, B]}, groups=GROUPS, oldest_outside={"a": C.age}
    )
    made = plan(met, PairJudge.of("xc", "xb"), RULE)
    assert (made.moves, made.labels) == ({"a": "b"}, {})


def test_the_label_of_a_straggler_outside_of_the_batch_is_left_to_its_own_settling() -> None:
    """Who merged the group of "t" away may have died before it had a reason to."""
    s, t = record("s", group="old", age=3), record("t", group="old", age=4)
    outside = {"groups": {"old": A.age}, "oldest_outside": {"a": t.age}}
    made = regrouped([A, s], "as", "st", candidates={"s": [t]}, former={"s": "a"}, **outside)
    assert (made.moves, made.labels) == ({}, {"s": "a"})


@pytest.mark.parametrize(
    ("pairs", "moves"),
    [
        (["bc", "cd"], {"a": "b"}),  # whole
        (["cd"], {"a": "b"}),  # in parts: where the oldest went
        (["by", "cd"], {"a": "x"}),  # the oldest went to another group
        (["bx", "cy", "dz"], {"a": "x"}),
    ],
)
def test_the_name_of_a_document_that_is_gone_leads_to_its_oldest_fellow(
    pairs: list[str], moves: dict[str, str]
) -> None:
    there = members("xyz", start=0)
    ties = ["xy", "yz"]
    made = regrouped([*there, *members("abcd", start=5)[1:]], *ties, *pairs, former={"a": "a"})
    assert made.moves == moves


def test_a_name_that_nobody_has_any_longer_goes_where_the_others_went_not_its_document() -> None:
    """The document "x" named the group of "y" and "z", and joins "a": most of what was "x" is "y" now."""
    made = regrouped([A, *members("xyz", start=5)], "xa", "yz")
    assert made.moves == {"x": "y"}
    assert made.labels == {"x": "a", "y": "y"}


def test_what_stays_outside_keeps_its_name_and_the_members_that_leave_get_labels() -> None:
    """A huge group of which only a part is put together anew: the rest is one, named by its oldest."""
    outside = record("o", group="a", age=7)
    rest = {"oldest_outside": {"a": outside.age}, "groups": {"a": A.age}}
    made = regrouped(members("abc"), "ab", **rest)
    assert (made.moves, made.labels) == ({"a": "o"}, {"a": "a", "b": "a", "c": "c", "o": "o"})
    made = regrouped(members("abc"), "ab", "bc", "co", candidates={"c": [outside]}, **rest)
    assert (made.moves, made.labels) == ({}, {})
    made = regrouped(members("abc"), "bc", "co", candidates={"c": [outside]}, **rest)
    assert (made.moves, made.labels) == ({"a": "b"}, {"a": "a", "b": "b"})
