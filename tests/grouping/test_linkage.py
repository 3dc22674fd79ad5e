"""Average linkage on values: which ties hold, in what order, and what a large group counts for."""

import itertools
from typing import Any

import pytest

from dupgroups.grouping.grouping_rule import GroupingRule
from dupgroups.grouping.linkage import Partition
from grouping.plans import groups, planned
from grouping.values import record

AVERAGE = GroupingRule(frozenset({"duplicate"}), 64, "average")

Tie = tuple[float, str, str]


def parts(*ties: Tie | str, most: int = 50, sizes: dict[str, int] | None = None) -> list[str]:
    """The clusters of all that is tied; a tie is written "ab" where all are equally strong."""
    made = [(1.0, *tie) if isinstance(tie, str) else tie for tie in ties]
    names = sorted({name for _, *ends in made for name in ends})
    clusters = Partition(made, most=most, sizes=sizes)  # type: ignore[arg-type]
    together = {
        name: "".join(other for other in names if clusters.are_together(name, other)) for name in names
    }
    return sorted(set(together.values()))


def pairs_of(names: str) -> list[str]:
    return ["".join(pair) for pair in itertools.combinations(names, 2)]


CROWD = pairs_of("abcdef")


@pytest.mark.parametrize(
    ("ties", "options", "clusters"),
    [
        (["ab", "bc"], {}, ["abc"]),  # two and three that are tied at all stay whole
        (["ab", "bc", "cd"], {}, ["abc", "d"]),  # a chain breaks: 1 of the 3 pairs across is tied
        (["ab", "bc", "cd", "de"], {}, ["abc", "de"]),  # 1 of 6
        (["ab", "bc", "cd", "ac", "bd"], {}, ["abcd"]),  # 2 of 3 are enough
        ([(0.5, "a", "b"), (0.9, "b", "c"), (0.5, "c", "d")], {}, ["abc", "d"]),  # the strongest comes first
        ([(0.9, "a", "b"), (0.5, "b", "c"), (0.9, "c", "d")], {}, ["ab", "cd"]),
        ([*CROWD, "ax", "bx"], {"most": 6}, ["abcdef", "x"]),  # 2 of 6
        ([*CROWD, "ax", "bx"], {"most": 5}, ["abcdefx"]),  # no more is asked for than it is compared with
        (["ax"], {"sizes": {"a": 3}}, ["a", "x"]),  # a node of many documents wants as many ties
        (["ax", "ax"], {"sizes": {"a": 3}}, ["ax"]),
        (["ax"] * 17, {"sizes": {"a": 50}}, ["ax"]),  # the share itself is enough
        (["ax"] * 16, {"sizes": {"a": 50}}, ["a", "x"]),
        (["ab", "bx", "bx"], {"sizes": {"b": 2}}, ["abx"]),  # what is merged counts together
        ([], {}, []),
    ],
)
def test_clusters(ties: list[Tie | str], options: dict[str, Any], clusters: list[str]) -> None:
    assert parts(*ties, **options) == clusters


@pytest.mark.parametrize(("linkage", "made"), [("closure", ["a"] * 4), ("average", ["a", "a", "a", "d"])])
def test_a_plan_follows_the_linkage_of_its_rule(linkage: str, made: list[str]) -> None:
    rule = GroupingRule(frozenset({"duplicate"}), 64, linkage)  # type: ignore[arg-type]
    chain = [record(name, age=age) for age, name in enumerate("abcd")]
    plan = planned(chain, "ab", "bc", "cd", rule=rule)
    assert [*groups(plan).values()] == made
    assert plan.outcomes["d"].verdicts.keys() == ({"c"} if linkage == "closure" else set())
    assert plan.outcomes["d"].state == ("joined" if linkage == "closure" else "new")


def test_a_large_group_that_stays_as_it_is_wants_ties_with_many_of_its_members() -> None:
    crowd = [record(name, group="a", age=age) for age, name in enumerate("abcdef")]
    seen = {"candidates": {"x": crowd}, "groups": {"a": crowd[0].age}, "sizes": {"a": 6}}
    x = record("x", age=9)
    assert groups(planned([x], "xa", "xb", rule=AVERAGE, **seen)) == {"x": "x"}  # type: ignore[arg-type]
    assert groups(planned([x], "xa", "xb", "xc", rule=AVERAGE, **seen)) == {"x": "a"}  # type: ignore[arg-type]
