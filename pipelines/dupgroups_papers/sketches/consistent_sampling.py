"""Samples of weighted sets that agree with the probability of the similarity of the sets.

Ioffe: Improved Consistent Sampling, Weighted Minhash and L1 Sketching (ICDM 2010). Each of many samples draws
one element of the set with a probability proportional to its weight, such that two sets draw the same element
with the probability of their weighted Jaccard similarity s = sum(min(a, b)) / sum(max(a, b)). The estimate
from n samples has a standard error of sqrt(s (1 - s) / n).

For an element of weight w, with r and c drawn from Gamma(2, 1) and b from [0, 1) by its hash: t =
floor(log(w) / r + b), log(y) = r (t - b), log(a) = log(c) - log(y) - r. The element with the smallest a is
drawn, together with its t. With logarithms and a table of the quantiles of the distribution, a sample needs
no transcendental function. The tables are rounded to single precision, so that all machines hold the same.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from dupgroups.text.hashing import Hashes, mix
from dupgroups_papers.sketches.set_sketches import odd_factors

_BATCH_ELEMENTS = 256  # elements sampled at a time, so that memory stays small
_QUANTILE_COUNT = 1 << 16
_MAX_STEPS = 60


def samples(elements: Hashes, weights: NDArray[np.float64], count: int) -> Hashes:
    """The draw of each of `count` samples as a hash, shape (count,); (0,) without elements.

    `elements` are distinct hashes and `weights` their weights, finite and above 0; both have shape (n,) and
    any order.
    """
    if not len(elements):
        return elements[:0]
    order = np.argsort(elements)  # so that ties are broken the same way in all sets
    elements, logs = elements[order], np.log(weights[order]).astype(np.float32)
    lowest = np.full(count, np.inf, np.float32)
    drawn = np.zeros(count, np.uint64)
    for start in range(0, len(elements), _BATCH_ELEMENTS):
        part = slice(start, start + _BATCH_ELEMENTS)
        values, hashes = _find_lowest(elements[part], logs[part], count)
        lower = values < lowest
        lowest[lower], drawn[lower] = values[lower], hashes[lower]
    return drawn


def _find_lowest(
    elements: Hashes, logs: NDArray[np.float32], count: int
) -> tuple[NDArray[np.float32], Hashes]:
    """The smallest log(a) of each sample, and the hash of its element; both of shape (count,)."""
    bits = mix(elements) * odd_factors(count)
    _, offset, scale, level = np.moveaxis(
        bits.astype("<u8", copy=False).view("<u2").reshape(*bits.shape, 4), -1, 0
    )
    gamma, log_gamma = _gamma_quantiles()
    r, b = gamma.take(scale), offset * np.float32(1 / _QUANTILE_COUNT)
    t = np.floor(logs / r + b)
    log_a = log_gamma.take(level) - r * (t - b) - r
    place = np.argmin(log_a, axis=1)
    row = np.arange(count)
    steps = t[row, place].astype(np.int64).astype(np.uint64)
    return log_a[row, place], mix(elements[place] ^ mix(steps))


@cache
def _gamma_quantiles() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Quantiles of Gamma(2, 1) and their logarithms: x where 1 - (1 + x) exp(-x) is (i + 1/2) / 65,536.

    Newton's method from 1, the inflection point: it approaches every quantile from one side.
    """
    probabilities = (np.arange(_QUANTILE_COUNT) + 0.5) / _QUANTILE_COUNT
    quantiles = np.ones(_QUANTILE_COUNT)
    for _ in range(_MAX_STEPS):
        tail = np.exp(-quantiles)
        quantiles -= (1 - (1 + quantiles) * tail - probabilities) / (quantiles * tail)
    return quantiles.astype(np.float32), np.log(quantiles).astype(np.float32)
