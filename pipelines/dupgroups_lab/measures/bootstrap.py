"""Bootstrap intervals of figures over stories.

Efron: Bootstrap methods, another look at the jackknife (1979), percentile intervals. What is drawn again are
not pairs, which hang together within a story, but whole stories: documents that no label, no found pair, no
group and no cluster ties to others.

| setting | value | meaning |
|---|---|---|
| draws   | 1000  | samples of as many stories, drawn with replacement |
| level   | 0.95  | share of the samples that the interval holds |
| seed    | 0     | the same stories give the same interval |
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

DRAWS, LEVEL, SEED = 1000, 0.95, 0


def intervals(
    stories: NDArray[np.float64], statistic: Callable[[NDArray[np.float64]], NDArray[np.float64]]
) -> NDArray[np.float64]:
    """Lower and upper bound of each figure, shape (f, 2).

    `stories` has the counts of one story in each row, shape (s, c), s >= 1; `statistic` gives the figures,
    shape (f,), of the sum of such rows, shape (c,).
    """
    rng = np.random.default_rng(SEED)
    size = len(stories)
    chances = np.full(size, 1 / size)
    drawn = (rng.multinomial(size, chances).astype(np.float64) @ stories for _ in range(DRAWS))
    figures = np.array([statistic(counts) for counts in drawn])
    edge = (1 - LEVEL) / 2
    return np.asarray(np.quantile(figures, [edge, 1 - edge], axis=0).T)
