"""An additive model: each measure gives points by a curve of its own, and their sum is the logarithm of the
odds.

T. Hastie, R. Tibshirani: Generalized Additive Models, Statistical Science 1 (1986), 297-310. A curve is
linear between its knots and constant beyond them. Nothing else is in the model, so the parts of a sum explain
it.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

TABLE = Path(__file__).with_name("judge.tsv")
"""The curves of the judge; `dup-groups train judge` writes it."""
LEVEL = "level"
"""What stands in place of a measure before the sum of a model in which all curves are at 0."""


@dataclass(frozen=True, slots=True)
class Curve:
    """The points of a measure at its knots, which ascend."""

    knots: Sequence[float]
    points: Sequence[float]

    def __call__(self, value: float) -> float:
        """The points of a value."""
        if value <= self.knots[0]:  # as most measures are 0
            return self.points[0]
        after = bisect_right(self.knots, value)
        if after == len(self.knots):
            return self.points[-1]
        start, end = self.knots[after - 1], self.knots[after]
        share = (value - start) / (end - start)
        return self.points[after - 1] + share * (self.points[after] - self.points[after - 1])


@dataclass(frozen=True)
class AdditiveModel:
    """Curves by the name of their measure."""

    level: float
    curves: Mapping[str, Curve]

    def weigh(self, values: Mapping[str, float]) -> dict[str, float]:
        """The points of each measure, that of the level included."""
        return {LEVEL: self.level} | {name: curve(values[name]) for name, curve in self.curves.items()}

    def probability(self, values: Mapping[str, float]) -> float:
        """The probability that the measures speak for, 0 to 1."""
        return to_probability(
            self.level + math.fsum([curve(values[name]) for name, curve in self.curves.items()])
        )

    @cached_property
    def as_text(self) -> str:
        """The model as the lines that `read_model` reads."""
        rows = [f"{LEVEL}\t{self.level:.3f}"]
        for name, curve in self.curves.items():
            knots = zip(curve.knots, curve.points, strict=True)
            rows.append("\t".join([name, *(f"{knot:.4g}:{points:.3f}" for knot, points in knots)]))
        return "\n".join(rows) + "\n"


def to_probability(points: float) -> float:
    """
    >>> to_probability(0.0), round(to_probability(2.0), 2)
    (0.5, 0.88)
    """
    return 1 / (1 + math.exp(-max(-500.0, points)))


def read_model(lines: Iterable[str]) -> AdditiveModel:
    """The model of these lines: a measure and its knots and points a line; lines after "#" are comments."""
    rows = [line.rstrip("\n").split("\t") for line in lines if line.strip() and line[0] != "#"]
    level = next(float(row[1]) for row in rows if row[0] == LEVEL)
    curves = {}
    for name, *pairs in rows:
        if name != LEVEL:
            knots, points = zip(*(map(float, pair.split(":")) for pair in pairs), strict=True)
            curves[name] = Curve(knots, points)
    return AdditiveModel(level, curves)


@cache
def judge_model() -> AdditiveModel:
    """The model that ships."""
    return read_model(TABLE.read_text(encoding="utf-8").splitlines())
