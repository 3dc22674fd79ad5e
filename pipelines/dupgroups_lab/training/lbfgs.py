"""Minimum of a smooth function by L-BFGS.

Nocedal: Updating Quasi-Newton Matrices with Limited Storage, Mathematics of Computation 35, 1980: the
two-loop recursion over the last steps, with halved steps until the function falls enough (Armijo's rule).
SciPy has it, too: a dependency of 35 MB, with which the shipped weights could not be made again as they are.

| parameter | default | meaning |
|---|---|---|
| `rounds` | 100 | steps at most |
| `tolerance` | 1e-5 | relative decrease of the function below which it counts as converged |
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Objective = Callable[[Vector], tuple[float, Vector]]  # the value at a point and the gradient there

_MAX_HALVINGS = 30
_MEMORY_STEPS = 8  # past steps that shape the next one
_MIN_DECREASE = 1e-4  # share of the decrease that the gradient predicts


def minimise(objective: Objective, start: Vector, *, rounds: int = 100, tolerance: float = 1e-5) -> Vector:
    """The point (k,) at which `objective` is least, searched from `start` (k,)."""
    steps: deque[tuple[Vector, Vector]] = deque(maxlen=_MEMORY_STEPS)
    point, (value, slope) = start, objective(start)
    for _ in range(rounds):
        lower_point = _step_down(objective, point, value, slope, _direction(slope, steps))
        if lower_point is None:
            return point
        after, lower, new_slope = lower_point
        moved, turned = after - point, new_slope - slope
        if moved @ turned > 0:
            steps.append((moved, turned))
        settled = value - lower <= tolerance * abs(value)
        point, value, slope = after, lower, new_slope
        if settled:
            return point
    return point


def _direction(slope: Vector, steps: Iterable[tuple[Vector, Vector]]) -> Vector:
    """Minus the inverse Hessian, as estimated from the steps, times the gradient."""
    past = list(steps)
    if not past:
        return -slope / max(float(np.linalg.norm(slope)), 1e-12)
    left = slope.copy()
    shares = []
    for moved, turned in reversed(past):
        shares.append((moved @ left) / (moved @ turned))
        left -= shares[-1] * turned
    moved, turned = past[-1]
    left *= (moved @ turned) / (turned @ turned)
    for (moved, turned), share in zip(past, reversed(shares), strict=True):
        left += (share - (turned @ left) / (moved @ turned)) * moved
    return -left


def _step_down(
    objective: Objective, point: Vector, value: float, slope: Vector, direction: Vector
) -> tuple[Vector, float, Vector] | None:
    """The first point along `direction` that lies low enough, its value and gradient; None if none does."""
    promised, size = float(slope @ direction), 1.0
    for _ in range(_MAX_HALVINGS):
        after = point + size * direction
        lower, new_slope = objective(after)
        if lower <= value + _MIN_DECREASE * size * promised:
            return after, lower, new_slope
        size /= 2
    return None
