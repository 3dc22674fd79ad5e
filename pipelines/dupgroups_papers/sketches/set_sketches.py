"""Bags of hashes as sets, their smallest values, and hashes of runs of these.

Broder et al. (1997): the smallest value of a set under each of m hash functions is kept. The probability that
two sets agree in one of them is their resemblance. Fetterly, Manasse, Najork: On the Evolution of Clusters of
Near-Duplicate Web Pages (LA-WEB 2003), after Broder et al.: of hashes of runs of these, *supershingles*, very
similar sets probably share one, others hardly ever do.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from dupgroups.text.hashing import Hashes, mix, windows
from dupgroups.text.sets import firsts

_BATCH_HASHES = 2048  # hashes multiplied at a time, so that memory stays small


def number_hashes(hashes: Hashes) -> Hashes:
    """A bag as a set, ascending: equal hashes are numbered, so that comparing the sets compares the bags."""
    ordered = np.sort(hashes)
    starts = np.flatnonzero(firsts(ordered))
    number = np.arange(len(ordered)) - np.repeat(starts, np.diff(np.append(starts, len(ordered))))
    repeated = number > 0  # the first occurrence keeps its hash
    ordered[repeated] = mix(ordered[repeated] + number[repeated].astype(np.uint64))
    return np.sort(ordered)


def common(a: NDArray[np.unsignedinteger], b: NDArray[np.unsignedinteger]) -> int:
    """How many values two ascending arrays of distinct values share."""
    both = np.sort(np.concatenate([a, b]))
    return int(np.count_nonzero(both[1:] == both[:-1]))


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


def supershingles(values: Hashes, size: int, step: int = 1) -> Hashes:
    """Hashes of the runs of `size` values that begin at every `step`-th one."""
    return windows(values, size)[::step]


def numbered_supershingles(values: Hashes, size: int) -> Hashes:
    """Hashes of the successive, disjoint runs of `size` min-values, mixed with the place of the run."""
    hashes = supershingles(values, size, size)
    places = np.arange(len(hashes), dtype=np.uint64)
    return mix(hashes + places)
