"""Bags of hashes as sets, and what two sets share."""

import numpy as np
from numpy.typing import NDArray

from dupgroups.text.hashing import Hashes, mix
from dupgroups.text.sets import firsts


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
