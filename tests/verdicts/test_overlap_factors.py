"""The overlap factors of An and Cheng: their definitions, and an oracle for the largest common number."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.errors import ConfigError
from dupgroups.model import Record, Relation, Signature
from dupgroups.verdicts.overlap_factors import OverlapFactors, lcc

short = st.text(alphabet="了的说人", max_size=9)


def record(name: str, feature: str, host: str = "") -> Record:
    return Record(name, name, host, Signature("period_string.1", ("key",), feature.encode("utf-16-le")))


def edit(one: str, two: str) -> int:
    """The minimum edit distance by its recurrence, row by row."""
    row = list(range(len(two) + 1))
    for at, character in enumerate(one, start=1):
        above, row[0] = row[0], at
        for place, other in enumerate(two, start=1):
            above, row[place] = (
                row[place],
                min(row[place] + 1, row[place - 1] + 1, above + (character != other)),
            )
    return row[-1]


@given(short, short)
def test_lcc_is_the_longer_length_less_the_edit_distance(one: str, two: str) -> None:
    assert lcc(one, two) == max(len(one), len(two)) - edit(one, two)
    assert 0 <= lcc(one, two) <= min(len(one), len(two))  # the paper's property 2


@given(short, short, st.floats(0, 9))
def test_a_bound_only_turns_what_is_below_it_to_nothing(one: str, two: str, least: float) -> None:
    common = lcc(one, two)
    assert lcc(one, two, least) in ((common,) if common >= least else (0, common))


@pytest.mark.parametrize(
    ("one", "two", "hosts", "relation"),
    [
        ("了的说人中", "了的说人中", ("a", "b"), "duplicate"),
        ("了的说人中", "了的说人事", ("a", "b"), "duplicate"),  # 4 of 5 is alpha
        ("了的说人中", "了的说人事", ("a", "a"), "near"),  # on one host alpha + epsilon = 1 is asked for
        ("了的说人中", "了的说人事", ("", ""), "duplicate"),  # an unknown host is not the same host
        ("了的说人中", "了的说中会", ("a", "b"), "near"),
        ("了的说人", "来年上日", ("a", "b"), "different"),
        ("了的说人", "了的说人中会来年上日明天", ("a", "b"), "near"),  # beta is not reached
    ],
)
def test_the_rule_of_definition_4(one: str, two: str, hosts: tuple[str, str], relation: Relation) -> None:
    verdict = OverlapFactors()(record("a", one, hosts[0]), record("b", two, hosts[1]))
    assert verdict.relation == relation
    assert (verdict.score >= 0.5) is (relation == "duplicate")


@pytest.mark.parametrize(
    "parameters",
    [
        {"alpha": 0.4},
        {"beta": 0.0},
        {"epsilon": 0.3},
        {"epsilon": -0.1},
        {"near": 0.9},
        {"alpha": 1.2, "epsilon": 0},
    ],
)
def test_wrong_parameters_are_refused(parameters: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        OverlapFactors(**parameters)
