"""Bootstrap intervals of scores over stories.

Efron: Bootstrap methods, another look at the jackknife (1979), percentile intervals. Pairs of one story
depend on each other, so whole stories are resampled. A story is a set of documents that no label, no pair
found, no group and no cluster links to other documents.

| setting | value | meaning |
|---|---|---|
| draws   | 1000  | samples, each of as many stories drawn with replacement |
| level   | 0.95  | share of the samples within the interval |
| seed    | 0     | makes the interval reproducible |
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

DRAWS, LEVEL, SEED = 1000, 0.95, 0


def intervals(
    stories: NDArray[np.float64], statistic: Callable[[NDArray[np.float64]], NDArray[np.float64]]
) -> NDArray[np.float64]:
    """Lower and upper bound of each score, shape (f, 2); the arguments are those of `samples`."""
    edge = (1 - LEVEL) / 2
    return np.asarray(np.quantile(samples(stories, statistic), [edge, 1 - edge], axis=0).T)


def samples(
    stories: NDArray[np.float64], statistic: Callable[[NDArray[np.float64]], NDArray[np.float64]]
) -> NDArray[np.float64]:
    """The scores of each sample, shape (DRAWS, f).

    Each row of `stories` holds the counts of one story, shape (s, c), s >= 1; `statistic` computes the
    scores, shape (f,), from the sum of such rows, shape (c,).
    """
    rng = np.random.default_rng(SEED)
    size = len(stories)
    chances = np.full(size, 1 / size)
    drawn = (rng.multinomial(size, chances).astype(np.float64) @ stories for _ in range(DRAWS))
    return np.array([statistic(counts) for counts in drawn])
