"""Training of CE-SIMPLE, the maximum entropy classifier over words.

| setting | value | why |
|---|---|---|
| `PRIOR` | 10 | inverse variance of the weights (Gaussian prior); of 1, 3, 10 and 30 best across sites |
| `SITES` | 4 | a word of fewer sites is typical of those sites, not of articles |

Where the sites are known, less of both is better: `evaluate cedar` chooses.
"""

from collections.abc import Sequence

import numpy as np

from dupgroups_lab.training.lbfgs import Vector, minimise
from dupgroups_lab.training.network import Example
from dupgroups_lab.training.training_bags import join_bags, on_many_sites
from dupgroups_papers.content.hashed_bag_of_words import HASH_BUCKETS
from dupgroups_papers.content.maxent import Words, words

PRIOR, SITES = 10.0, 4


def train_maxent(examples: Sequence[Example], prior: float = PRIOR, sites: int = SITES) -> Words:
    """The weights learned from these pages, which count the same. The same pages give the same weights."""
    page_words = [words(example.blocks) for example in examples]
    content = np.concatenate([example.labels.share >= 0.5 for example in examples]).astype(float)
    weight = page_weights([page.size for page in page_words])
    bag = join_bags(on_many_sites(page_words, [example.page.site for example in examples], sites))

    def loss(point: Vector) -> tuple[float, Vector]:
        weights, level = point[:-1], point[-1]
        odds = bag.sums(weights) + level
        error = weight * (1 / (1 + np.exp(-odds)) - content)
        value = float(weight @ (np.logaddexp(0, odds) - content * odds)) + prior / 2 * float(
            weights @ weights
        )
        return value, np.append(bag.spread(error) + prior * weights, error.sum())

    best = minimise(loss, np.zeros(HASH_BUCKETS + 1), rounds=200)
    return Words(best[:-1].astype(np.float32), float(best[-1]))


def page_weights(sizes: Sequence[int]) -> Vector:
    """Weights of all blocks (n,): every page has the same sum, and the mean is 1."""
    mean = sum(sizes) / max(len(sizes), 1)
    return np.repeat([mean / max(size, 1) for size in sizes], sizes)
