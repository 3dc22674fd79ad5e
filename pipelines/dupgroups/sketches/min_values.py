"""Min-value sketches and supershingles.

Fetterly, Manasse, Najork: On the Evolution of Clusters of Near-Duplicate Web Pages (LA-WEB 2003), after
Broder et al. (1997): the smallest value of the set under each of m hash functions is kept. The probability
that two sets agree in one of them is their resemblance. Hashes of runs of these values are supershingles:
very similar sets probably share one, others hardly ever do.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from dupgroups.sketches.hashing import Hashes, mix, windows

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


def supershingles(values: Hashes, size: int, step: int = 1) -> Hashes:
    """Hashes of the runs of `size` values that begin at every `step`-th one."""
    return windows(values, size)[::step]


def numbered_supershingles(values: Hashes, size: int) -> Hashes:
    """Hashes of the successive, disjoint runs of `size` min-values, mixed with the place of the run."""
    hashes = supershingles(values, size, size)
    places = np.arange(len(hashes), dtype=np.uint64)
    return mix(hashes + places)
