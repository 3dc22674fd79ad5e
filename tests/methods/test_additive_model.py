"""Models that add the points of curves."""

from __future__ import annotations

import pytest

from dupgroups.methods.additive_model import AdditiveModel, Curve, read_model

MODEL = AdditiveModel(-1.5, {"words": Curve((0, 0.5, 1), (0, 1, 4)), "numbers": Curve((0, 2), (0, -3))})


@pytest.mark.parametrize(
    ("value", "points"), [(-1, 0), (0, 0), (0.25, 0.5), (0.5, 1), (0.75, 2.5), (1, 4), (9, 4)]
)
def test_a_curve_is_linear_between_its_knots_and_constant_beyond_them(value: float, points: float) -> None:
    assert MODEL.curves["words"](value) == points


def test_a_model_is_read_as_it_was_written() -> None:
    assert read_model(["# curves", "", *MODEL.as_text.splitlines(keepends=True)]).as_text == MODEL.as_text
    assert MODEL.as_text.startswith("level\t-1.500\nwords\t0:0.000\t0.5:1.000\t1:4.000\n")
