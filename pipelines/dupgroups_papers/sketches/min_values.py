"""Min-value sketches.

Broder et al. (1997): the smallest value of the set under each of m hash functions is kept. The probability
that two sets agree in one of them is their resemblance.
"""

from functools import cache

import numpy as np

from dupgroups.text.hashing import Hashes, mix

_BATCH_HASHES = 2048  # hashes multiplied at a time, so that memory stays small


def min_values(hashes: Hashes, count: int) -> Hashes:
    """The smallest value under each of `count` hash functions, shape (count,); (0,) without hashes."""
    if not len(hashes):
        return hashes[:0]
    values = np.full(count, np.iinfo(np.uint64).max, np.uint64)
    for start in range(0, len(hashes), _BATCH_HASHES):
        np.minimum(
            values, (odd_factors(count) * hashes[start : start + _BATCH_HASHES]).min(axis=1), out=values
        )
    return values


@cache
def odd_factors(count: int) -> Hashes:
    """Odd multipliers, shape (count, 1): multiplying by an odd number is one-to-one and cheap."""
    return (mix(np.arange(1, count + 1, dtype=np.uint64)) | np.uint64(1))[:, None]
