"""Models that add the points of curves, and the one that ships."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.methods.additive_model import (
    LEVEL,
    AdditiveModel,
    Curve,
    judge_model,
    read_model,
    to_probability,
)
from dupgroups.methods.evidence import MEASURES
from dupgroups_lab.training.train_judge import FREE, RISING

MODEL = AdditiveModel(-1.5, {"words": Curve((0, 0.5, 1), (0, 1, 4)), "numbers": Curve((0, 2), (0, -3))})


@pytest.mark.parametrize(
    ("value", "points"), [(-1, 0), (0, 0), (0.25, 0.5), (0.5, 1), (0.75, 2.5), (1, 4), (9, 4)]
)
def test_a_curve_is_linear_between_its_knots_and_constant_beyond_them(value: float, points: float) -> None:
    assert MODEL.curves["words"](value) == points


@given(st.floats(0, 9), st.floats(0, 9))
def test_the_points_and_the_level_add_up_to_the_logarithm_of_the_odds(words: float, numbers: float) -> None:
    values = {"words": words, "numbers": numbers}
    points = MODEL.weigh(values)
    assert [*points] == [LEVEL, *values]
    probability = MODEL.probability(values)
    assert math.log(probability / (1 - probability)) == pytest.approx(sum(points.values()))


def test_no_sum_is_too_far_from_zero() -> None:
    assert 0 <= to_probability(-1e6) < 1e-9
    assert to_probability(1e6) == 1


def test_a_model_is_read_as_it_was_written() -> None:
    lines = ["# the measures", "", *MODEL.as_text.splitlines(keepends=True)]
    assert read_model(lines).as_text == MODEL.as_text
    assert read_model(lines).probability({"words": 0.7, "numbers": 1}) == MODEL.probability(
        {"words": 0.7, "numbers": 1}
    )


@pytest.mark.parametrize("name", MEASURES)
def test_nothing_in_common_speaks_against_one_story_and_no_contradiction_for_it(name: str) -> None:
    curve = judge_model().curves[name]
    rising = all(a <= b for a, b in pairwise(curve.points))
    falling = all(a >= b for a, b in pairwise(curve.points))
    assert all(a < b for a, b in pairwise(curve.knots))
    assert name in FREE or (rising if name in RISING else falling)
