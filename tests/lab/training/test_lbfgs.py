"""The minimiser, on functions whose minimum is known."""

from __future__ import annotations

import numpy as np

from dupgroups_lab.training.lbfgs import Vector, minimise


def test_rosenbrocks_valley_is_followed_to_its_end() -> None:
    def valley(point: Vector) -> tuple[float, Vector]:
        x, y = point
        slope = np.array([-2 * (1 - x) - 400 * x * (y - x * x), 200 * (y - x * x)])
        return float((1 - x) ** 2 + 100 * (y - x * x) ** 2), slope

    assert np.allclose(minimise(valley, np.array([-1.2, 1.0]), tolerance=0), [1, 1], atol=1e-4)
