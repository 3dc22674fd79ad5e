"""The smallest hashes of sets. Two sets agree in one of them with the probability of their resemblance.

Broder et al. (1997): the smallest value of the set under each of m hash functions is kept.
Li, Owen, Zhang: One Permutation Hashing (NIPS 2012): the smallest hash in each of k bins is kept.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from dupgroups.sketches.hashing import Hashes, mix
from dupgroups.sketches.sets import firsts, sorted_within

_HALF = np.uint64(32)
_AT_ONCE = 2048  # hashes multiplied at a time, so that memory stays small


def min_values(hashes: Hashes, count: int) -> Hashes:
    """The smallest value under each of `count` hash functions, shape (count,); (0,) without hashes."""
    if not len(hashes):
        return hashes[:0]
    values = np.full(count, np.iinfo(np.uint64).max, np.uint64)
    for start in range(0, len(hashes), _AT_ONCE):
        np.minimum(values, (_odd(count) * hashes[start : start + _AT_ONCE]).min(axis=1), out=values)
    return values


@cache
def _odd(count: int) -> Hashes:
    """Odd multipliers, shape (count, 1): multiplying by an odd number is one-to-one and cheap."""
    return (mix(np.arange(1, count + 1, dtype=np.uint64)) | np.uint64(1))[:, None]


def bounded_minima(
    hashes: Hashes, bounds: NDArray[np.intp], bins: int
) -> tuple[NDArray[np.intp], NDArray[np.intp], Hashes]:
    """Of several sets the number of distinct hashes, the bins that are not empty, and the minimum of each.

    Set i is `hashes[bounds[i]:bounds[i + 1]]`; its bins begin at i * bins. The bins are in ascending order.
    """
    ordered = sorted_within(hashes, bounds)
    # the bin is the high part of the hash, so the first hash of a bin is its minimum
    places = ((ordered >> _HALF) * np.uint64(bins) >> _HALF).view(np.int64)
    places += np.arange(0, bins * (len(bounds) - 1), bins).repeat(bounds[1:] - bounds[:-1])
    first = firsts(places)
    new = (firsts(ordered) | first).nonzero()[0].searchsorted(bounds)
    return new[1:] - new[:-1], places[first], ordered[first]
