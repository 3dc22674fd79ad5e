"""The overlap factors of An and Cheng: their definitions, and an oracle for the largest common number."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.model import Record, Relation, Signature
from dupgroups_papers.verdicts.overlap_factors import OverlapFactors, lcc
from verdicts.records import check_too_short, judged, refused

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


BETA, NEAR = "beta must be above 0 and at most alpha", "near must be above 0 and at most alpha"
EPSILON = "epsilon must be at least 0, and alpha + epsilon at most 1"


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"alpha": 0.4}, BETA),
        ({"beta": 0.0}, BETA),
        ({"epsilon": 0.3}, EPSILON),
        ({"epsilon": -0.1}, EPSILON),
        ({"near": 0.9}, NEAR),
        ({"near": 0.0}, NEAR),
        ({"alpha": 1.2, "epsilon": 0}, EPSILON),
    ],
)
def test_wrong_parameters_are_refused(parameters: dict[str, Any], sentence: str) -> None:
    refused(lambda: OverlapFactors(**parameters), sentence)


def test_the_bounds_themselves_are_allowed() -> None:
    assert OverlapFactors(alpha=0.5, beta=0.5, near=0.5, epsilon=0.5)
    assert OverlapFactors(alpha=1.0, beta=0.01, near=0.01, epsilon=0.0)


def test_the_score_is_that_of_the_weaker_factor_and_the_reason_says_both() -> None:
    verdict = judged(OverlapFactors(), record("a", "了的说人中"), record("b", "了的说人事"))
    assert verdict.score == pytest.approx(0.5)
    assert verdict.reason == (
        "4 characters before full stops agree: 80% of the shorter string (a copy needs 80%), "
        "80% of the longer one."
    )
    longer = judged(OverlapFactors(), record("a", "了的说人"), record("b", "了的说人中会来年上日"))
    assert (longer.relation, longer.score) == ("near", pytest.approx(0.4))  # 4 of 10, beta is 0.5


def test_on_one_host_alpha_is_raised_to_1_at_most() -> None:
    judge = OverlapFactors(alpha=0.7, epsilon=0.1, beta=0.1)
    one, two = record("a", "了的说人中", "a"), record("b", "了的说人事", "a")
    assert judged(judge, one, two).score == pytest.approx(0.5)  # 0.8 is asked for
    assert "(a copy needs 80%)" in judge(one, two).reason
    assert judged(OverlapFactors(), one, one).score == 1


def test_texts_without_features_are_too_short() -> None:
    check_too_short(OverlapFactors(), record("a", "了的说人"))


def test_a_broken_character_is_compared_as_any_other() -> None:
    body = "\ud800的说人".encode("utf-16-le", "surrogatepass")
    broken = Record("a", "a", "", Signature("period_string.1", ("key",), body))
    assert judged(OverlapFactors(), broken, broken).relation == "duplicate"


def test_what_rounding_adds_to_alpha_is_not_asked_for() -> None:
    same = record("a", "了的说人", "a")
    assert OverlapFactors(alpha=0.8, epsilon=0.2 + 5e-10)(same, same).score == 1


@pytest.mark.parametrize(
    ("judge", "two", "relation", "score"),
    [
        (OverlapFactors(), "了的上日", "near", 0.5 * 0.5 / 0.8),  # half of the shorter one is near
        (OverlapFactors(), "了年上日", "different", 0.0),  # a quarter is not looked at
        (OverlapFactors(beta=0.3), "了年上日", "different", 0.5 * 0.25 / 0.8),  # unless beta is as low
    ],
)
def test_little_in_common(judge: OverlapFactors, two: str, relation: Relation, score: float) -> None:
    verdict = judged(judge, record("a", "了的说人"), record("b", two))
    assert (verdict.relation, verdict.score) == (relation, pytest.approx(score))
