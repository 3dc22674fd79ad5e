"""An additive model (`dupgroups.methods.additive_model`) fitted to measures: the weights of pieces of curves.

A curve is linear between knots: at quantiles of its values, as many evenly between these, and both ends. The
loss, with a little of the squares of the weights, is minimised by L-BFGS-B (Byrd, Lu, Nocedal, Zhu 1995),
whose bounds keep the curves monotone that shall be.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dupgroups.methods.additive_model import AdditiveModel, Curve
from dupgroups_lab.training.lbfgs import minimise, require_minimiser

KNOTS, MIN_INSIDE, MAX_ROUNDS = 5, 20, 500

Floats = NDArray[np.float64]
Loss = Callable[[Floats], tuple[float, Floats]]
"""The loss of sums, shape (n,), and its slope at each."""


def fit_curves(
    names: Iterable[str],
    values: Floats,
    loss: Loss,
    penalty: float,
    sign: Callable[[str], int] = lambda name: 0,
) -> AdditiveModel:
    """The model whose sums have the least loss; `values` has a row for each example, a column for each name.

    `sign` is 1 for a curve that only rises, -1 for one that only falls, 0 for any. Raises MissingExtraError
    without SciPy.
    """
    require_minimiser()
    knots = dict(zip(names, map(_knots, values.T), strict=True))
    columns = zip(values.T, knots.values(), strict=True)
    parts = np.stack([part for column, some in columns for part in _parts(column, some)], 1)
    signs = [sign(name) for name, some in knots.items() for _ in some[1:]]
    bounds = [(0 if one > 0 else None, 0 if one < 0 else None) for one in signs]

    def objective(weights: Floats) -> tuple[float, Floats]:
        value, slopes = loss(parts @ weights[:-1] + weights[-1])
        squares = float((weights[:-1] ** 2).sum())
        return value + penalty / 2 * squares, np.append(
            parts.T @ slopes + penalty * weights[:-1], slopes.sum()
        )

    start = np.zeros(parts.shape[1] + 1)
    weights = minimise(objective, start, MAX_ROUNDS, [*bounds, (None, None)], maxcor=10, ftol=2.22e-9)
    curves, first = {}, 0
    for name, some in knots.items():
        last = first + len(some) - 1
        curves[name] = Curve(some.tolist(), np.append(0.0, weights[first:last].cumsum()).tolist())
        first = last
    return AdditiveModel(float(weights[-1]), curves)


def _knots(values: Floats) -> Floats:
    least, most = values.min(), values.max()
    inside = values[(values > least + 1e-9) & (values < most - 1e-9)]
    between: list[Floats] = []
    if len(inside) > MIN_INSIDE:
        between = [np.quantile(inside, np.linspace(0.03, 0.97, KNOTS))]
        between += [np.linspace(between[0][0], between[0][-1], KNOTS)]
    found: Floats = np.unique(np.round(np.concatenate([[least], *between, [most]]), 3))
    return found if len(found) > 1 else np.append(found, found + 1)


def _parts(values: Floats, knots: Floats) -> Iterator[Floats]:
    """How much of each piece between two knots lies below the values, 0 to 1."""
    for start, end in pairwise(knots):
        yield np.clip((values - start) / (end - start), 0, 1)
