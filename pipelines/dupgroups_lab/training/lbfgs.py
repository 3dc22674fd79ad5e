"""Minimum of a smooth function by SciPy's L-BFGS-B.

Byrd, Lu, Nocedal, Zhu: A Limited Memory Algorithm for Bound Constrained Optimization, SIAM Journal on
Scientific Computing 16, 1995.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from dupgroups.errors import require_extra

Vector = NDArray[np.float64]
Objective = Callable[[Vector], tuple[float, Vector]]  # the value at a point and the gradient there


def require_minimiser() -> None:
    """Raise MissingExtraError without SciPy."""
    with require_extra("lab", "This training"):
        import scipy.optimize  # noqa: F401


def minimise(
    objective: Objective,
    start: Vector,
    rounds: int,
    bounds: Sequence[tuple[float | None, float | None]] | None = None,
    **options: float,
) -> Vector:
    """The point (k,) at which `objective` is least, searched from `start` (k,) in so many steps at most.

    `bounds` are the least and the largest value of each coordinate, None for any; `options` those of SciPy.
    """
    from scipy.optimize import minimize

    # a relative decrease that is too small
    options = {"maxiter": rounds, "maxcor": 8, "ftol": 1e-4} | options
    found = minimize(objective, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    return np.asarray(found.x)
