"""Samples of weighted sets that agree as often as the sets do.

Ioffe: Improved Consistent Sampling, Weighted Minhash and L1 Sketching (ICDM 2010). Each of many samples draws
one element of the set, with a chance in proportion to its weight, in such a way that two sets draw the same
with a chance of their weighted Jaccard similarity s = sum(min(a, b)) / sum(max(a, b)). From n samples it is
estimated with a standard error of sqrt(s (1 - s) / n).

For an element of weight w, with r and c drawn from Gamma(2, 1) and b from [0, 1) by its hash:
t = floor(log(w) / r + b), log(y) = r (t - b), log(a) = log(c) - log(y) - r. The element of the smallest a is
drawn, with its t. In logarithms, with the quantiles of the distribution in a table, a sample takes no
transcendental function; what the tables hold is rounded to single precision, so that machines agree on it.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from dupgroups.sketches.hashing import Hashes, mix

_AT_ONCE = 256  # elements sampled at a time, so that memory stays small
_QUANTILES = 1 << 16
_STEPS = 60


def samples(elements: Hashes, weights: NDArray[np.float64], count: int) -> Hashes:
    """What each of `count` samples draws, as a hash, shape (count,); (0,) for no elements.

    `elements` are distinct hashes and `weights` theirs, finite and above 0, both of shape (n,), in any order.
    """
    if not len(elements):
        return elements[:0]
    order = np.argsort(elements)  # so that of equals the same one is drawn in all sets
    elements, logs = elements[order], np.log(weights[order]).astype(np.float32)
    lowest = np.full(count, np.inf, np.float32)
    drawn = np.zeros(count, np.uint64)
    for start in range(0, len(elements), _AT_ONCE):
        own = slice(start, start + _AT_ONCE)
        values, found = _lowest(elements[own], logs[own], count)
        lower = values < lowest
        lowest[lower], drawn[lower] = values[lower], found[lower]
    return drawn


def _lowest(elements: Hashes, logs: NDArray[np.float32], count: int) -> tuple[NDArray[np.float32], Hashes]:
    """The smallest log(a) of each sample, and the hash of what has it; both of shape (count,)."""
    bits = mix(elements) * _odd(count)
    _, offset, scale, level = np.moveaxis(
        bits.astype("<u8", copy=False).view("<u2").reshape(*bits.shape, 4), -1, 0
    )
    gamma, log_gamma = _gamma_quantiles()
    r, b = gamma.take(scale), offset * np.float32(1 / _QUANTILES)
    t = np.floor(logs / r + b)
    log_a = log_gamma.take(level) - r * (t - b) - r
    place = np.argmin(log_a, axis=1)
    row = np.arange(count)
    steps = t[row, place].astype(np.int64).astype(np.uint64)
    return log_a[row, place], mix(elements[place] ^ mix(steps))


@cache
def _odd(count: int) -> Hashes:
    """Multiplication by an odd number is one-to-one and cheap, and the hashes are mixed before."""
    return (mix(np.arange(1, count + 1, dtype=np.uint64)) | np.uint64(1))[:, None]


@cache
def _gamma_quantiles() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Quantiles of Gamma(2, 1) and their logarithms: x where 1 - (1 + x) exp(-x) is (i + 1/2) / 65,536.

    Newton's method from 1, where the distribution turns: it nears every quantile from one side.
    """
    wanted = (np.arange(_QUANTILES) + 0.5) / _QUANTILES
    found = np.ones(_QUANTILES)
    for _ in range(_STEPS):
        tail = np.exp(-found)
        found -= (1 - (1 + found) * tail - wanted) / (found * tail)
    return found.astype(np.float32), np.log(found).astype(np.float32)
