"""Training of CE-SIMPLE, the maximum entropy classifier over words.

| setting | value | why |
|---|---|---|
| `_PRIOR` | 10 | inverse variance of the weights (Gaussian prior); of 1, 3, 10 and 30 best across sites |
| `_MIN_SITES` | 4 | a word of fewer sites is one of theirs, not one of articles |
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dupgroups.content.hashed_bag_of_words import BUCKETS
from dupgroups.content.maxent import Words, words
from dupgroups_lab.training.bags import joined, on_many_sites
from dupgroups_lab.training.lbfgs import Vector, minimise
from dupgroups_lab.training.network import Example

_PRIOR, _MIN_SITES = 10.0, 4


def train_maxent(examples: Sequence[Example]) -> Words:
    """The weights of these pages; every page counts as much as every other. The same pages give the same."""
    page_words = [words(each.blocks) for each in examples]
    content = np.concatenate([each.labels.share >= 0.5 for each in examples]).astype(float)
    weight = page_weights([each.size for each in page_words])
    found = joined(on_many_sites(page_words, [each.page.site for each in examples], _MIN_SITES))

    def loss(point: Vector) -> tuple[float, Vector]:
        weights, level = point[:-1], point[-1]
        odds = found.sums(weights) + level
        error = weight * (1 / (1 + np.exp(-odds)) - content)
        value = float(weight @ (np.logaddexp(0, odds) - content * odds)) + _PRIOR / 2 * float(
            weights @ weights
        )
        return value, np.append(found.spread(error) + _PRIOR * weights, error.sum())

    best = minimise(loss, np.zeros(BUCKETS + 1), rounds=200, tolerance=1e-4)
    return Words(best[:-1].astype(np.float32), float(best[-1]))


def page_weights(sizes: Sequence[int]) -> Vector:
    """Of each block (n,): the same for every page in sum, 1 in the mean."""
    mean = sum(sizes) / max(len(sizes), 1)
    return np.repeat([mean / max(size, 1) for size in sizes], sizes)
