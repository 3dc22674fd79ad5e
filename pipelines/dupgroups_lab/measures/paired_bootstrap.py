"""Paired bootstrap: whether the F1 of two results on the same documents differs by more than chance.

Efron: Bootstrap methods, another look at the jackknife (1979), percentile intervals; Owen: The pigeonhole
bootstrap (Annals of Applied Statistics, 2007). Whole stories are drawn with replacement, the same ones for
both results. A pair within a story counts as often as its story was drawn, a pair of two stories as often as
the product of both. A story is a set of documents that positive and ignored pairs link.

The number of samples, the level and the seed are those of `dupgroups_lab.measures.bootstrap`.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dupgroups_lab.labels.pairs import Pair, Truth, closure
from dupgroups_lab.measures.bootstrap import DRAWS, LEVEL, SEED

Floats = NDArray[np.float64]
_AT_ONCE = 4096  # pairs of two stories that are weighted at a time, so that memory stays small


@dataclass(frozen=True, slots=True)
class Difference:
    """One F1 minus another (-1 to 1), with its 95 % interval."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, one: Floats, other: Floats) -> Difference:
        """The difference of two results of `Samples.f1`."""
        edge = (1 - LEVEL) / 2
        low, high = np.quantile((one - other)[1:], [edge, 1 - edge])
        return cls(float(one[0] - other[0]), float(low), float(high))

    @property
    def significant(self) -> bool:
        """Whether the interval lies on one side of 0."""
        return self.low > 0 or self.high < 0

    def __str__(self) -> str:
        """With its interval; `*` marks what is significant."""
        return f"{self.value:+.3f} [{self.low:+.3f}, {self.high:+.3f}]{'*' * self.significant}"


class Samples:
    """The documents of `truth` as they are, and samples of their stories."""

    def __init__(self, truth: Truth) -> None:
        self._truth = truth
        names = closure(truth.documents, sorted(truth.positive | truth.ignored))
        number = {name: place for place, name in enumerate(dict.fromkeys(names.values()))}
        self._story = {document: number[name] for document, name in names.items()}
        chances = np.full(len(number), 1 / max(len(number), 1))
        drawn = np.random.default_rng(SEED).multinomial(len(number), chances, DRAWS)
        self._weights = np.vstack([np.ones(len(number)), drawn])  # (1 + DRAWS, stories)
        self._positive = self._within(truth.positive)

    def f1(self, found: Set[Pair]) -> Floats:
        """The F1 of the pairs found: that of all documents, then that of each sample; (1 + DRAWS,)."""
        counted = found - self._truth.ignored
        tp = self._within(counted & self._truth.positive)
        wrong = counted - self._truth.positive
        between = {pair for pair in wrong if self._story[pair[0]] != self._story[pair[1]]}
        fp = self._within(wrong - between) + self._between(between)
        return np.asarray(2 * tp / np.maximum(tp + fp + self._positive, 1))

    def _within(self, pairs: Iterable[Pair]) -> Floats:
        stories = [self._story[first] for first, _ in pairs]
        return np.asarray(self._weights @ np.bincount(stories, minlength=self._weights.shape[1]))

    def _between(self, pairs: Iterable[Pair]) -> Floats:
        stories = np.array([[self._story[document] for document in pair] for pair in pairs], np.intp)
        total = np.zeros(len(self._weights))
        for start in range(0, len(stories), _AT_ONCE):
            first, second = stories[start : start + _AT_ONCE].T
            total += np.einsum("ij,ij->i", self._weights[:, first], self._weights[:, second])
        return total
