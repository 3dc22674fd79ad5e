"""The minimiser, on functions whose minimum is known."""

from __future__ import annotations

import numpy as np
import pytest

from dupgroups_lab.training.lbfgs import Vector, minimise


@pytest.mark.parametrize("size", [1, 7, 40])
def test_a_bowl_is_solved_as_linear_equations(size: int) -> None:
    random = np.random.default_rng(size)
    half = random.normal(size=(size, size))
    matrix, wanted = half @ half.T + np.eye(size), random.normal(size=size)
    point = minimise(
        lambda x: (float(x @ matrix @ x / 2 - wanted @ x), matrix @ x - wanted), np.zeros(size), tolerance=0
    )
    assert np.allclose(point, np.linalg.solve(matrix, wanted), atol=1e-4)


def test_rosenbrocks_valley_is_followed_to_its_end() -> None:
    def valley(point: Vector) -> tuple[float, Vector]:
        x, y = point
        slope = np.array([-2 * (1 - x) - 400 * x * (y - x * x), 200 * (y - x * x)])
        return float((1 - x) ** 2 + 100 * (y - x * x) ** 2), slope

    assert np.allclose(minimise(valley, np.array([-1.2, 1.0]), tolerance=0), [1, 1], atol=1e-4)
