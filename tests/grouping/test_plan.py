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
from grouping.plans import NOBODY, groups, planned, states, viewed
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
    assert [(tie.other, tie.score) for tie in put.ties] == [(id_, scores[id_]) for id_ in "bfdac"]
    assert {tie.relation for tie in put.ties} == {"duplicate"}


@pytest.mark.parametrize("relation", get_args(Relation))
def test_only_what_the_rule_joins_is_joined(relation: Relation) -> None:
    others = frozenset(get_args(Relation)) - {relation}
    for join, state in ((frozenset({relation}), "joined"), (others, "new"), (frozenset(), "new")):
        rule = GroupingRule(join, 64)
        made = planned([X], "xa", candidates={"x": [A]}, groups=GROUPS, relation=relation, rule=rule)
        assert (states(made), groups(made)) == ({"x": state}, {"x": "a" if state == "joined" else "x"})


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
    assert states(planned([replace(record("x", ""), length=0)])) == {"x": "not_article"}


# -- labels


def test_a_plan_says_what_it_rests_on() -> None:
    seen = Seen(7, {"x": None, "a": 3})
    assert planned([X], seen=seen).seen is seen
    assert planned([X]).seen is None


# -- groups that are put together anew: what moves, who gets a label, where lost names lead
