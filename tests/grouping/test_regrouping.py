"""Groups that are put together anew, on values: what moves, who gets a label, where lost names lead."""

from __future__ import annotations

import pytest

from dupgroups.grouping.plan import plan
from grouping.plans import NOBODY, members, regrouped, viewed
from grouping.values import RULE, PairJudge, record

A, B = record("a", age=1), record("b", age=2)
C = record("c", group="a", age=3)
GROUPS = {"a": A.age, "b": B.age}


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
