"""Bootstrap intervals of scores over stories, and of the difference of two F1 on the same documents.

Efron: Bootstrap methods, another look at the jackknife (1979), percentile intervals. Pairs of one story
depend on each other, so whole stories are resampled. For `intervals` a story is a set of documents that no
label, no pair found, no group and no cluster links to other documents.

The paired bootstrap (`Samples`) says whether two F1 differ by more than chance. Owen: The pigeonhole
bootstrap (Annals of Applied Statistics, 2007): the same stories are drawn for both results. A pair within a
story counts as often as its story was drawn, a pair of two stories as often as the product of both. There a
story is a set of documents that positive and ignored pairs link.

| setting | value | meaning |
|---|---|---|
| draws   | 1000  | samples, each of as many stories drawn with replacement |
| level   | 0.95  | share of the samples within the interval |
| seed    | 0     | makes the interval reproducible |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dupgroups_lab.labels.labelled_pairs import Pair, Truth, closure

Floats = NDArray[np.float64]

DRAWS, LEVEL, SEED = 1000, 0.95, 0
_BATCH_PAIRS = 4096  # pairs of two stories that are weighted at a time, so that memory stays small


def intervals(stories: Floats, statistic: Callable[[Floats], Floats]) -> Floats:
    """Lower and upper bound of each score, shape (f, 2); the arguments are those of `samples`."""
    edge = (1 - LEVEL) / 2
    return np.asarray(np.quantile(samples(stories, statistic), [edge, 1 - edge], axis=0).T)


def samples(stories: Floats, statistic: Callable[[Floats], Floats]) -> Floats:
    """The scores of each sample, shape (DRAWS, f).

    Each row of `stories` holds the counts of one story, shape (s, c), s >= 1; `statistic` computes the
    scores, shape (f,), from the sum of such rows, shape (c,).
    """
    rng = np.random.default_rng(SEED)
    size = len(stories)
    chances = np.full(size, 1 / size)
    drawn = (rng.multinomial(size, chances).astype(np.float64) @ stories for _ in range(DRAWS))
    return np.array([statistic(counts) for counts in drawn])


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95 % interval."""

    value: float
    low: float
    high: float


class Difference(Estimate):
    """One F1 minus another (-1 to 1)."""

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
        self._positive = self._weigh_within(truth.positive)

    def f1(self, found: Set[Pair]) -> Floats:
        """The F1 of the pairs found: that of all documents, then that of each sample; (1 + DRAWS,)."""
        counted = found - self._truth.ignored
        tp = self._weigh_within(counted & self._truth.positive)
        wrong = counted - self._truth.positive
        between = {pair for pair in wrong if self._story[pair[0]] != self._story[pair[1]]}
        fp = self._weigh_within(wrong - between) + self._weigh_between(between)
        return np.asarray(2 * tp / np.maximum(tp + fp + self._positive, 1))

    def _weigh_within(self, pairs: Iterable[Pair]) -> Floats:
        stories = [self._story[first] for first, _ in pairs]
        return np.asarray(self._weights @ np.bincount(stories, minlength=self._weights.shape[1]))

    def _weigh_between(self, pairs: Iterable[Pair]) -> Floats:
        stories = np.array([[self._story[document] for document in pair] for pair in pairs], np.intp)
        total = np.zeros(len(self._weights))
        for start in range(0, len(stories), _BATCH_PAIRS):
            first, second = stories[start : start + _BATCH_PAIRS].T
            total += np.einsum("ij,ij->i", self._weights[:, first], self._weights[:, second])
        return total
