"""Sets of hashes as sorted arrays, and measures of what two sets have in common.

Broder: On the Resemblance and Containment of Documents (1997): resemblance is |A and B| / |A or B|,
containment of A in B is |A and B| / |A|.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from dupgroups.text.hashing import Hashes

Unsigned = TypeVar("Unsigned", bound="np.unsignedinteger[Any]")


def distinct(hashes: NDArray[Unsigned]) -> NDArray[Unsigned]:
    """The distinct hashes in ascending order. Twice as fast as `np.unique`."""
    ordered = np.sort(hashes)
    return ordered[firsts(ordered)]


def firsts(ordered: NDArray[Any]) -> NDArray[np.bool_]:
    """Where a value differs from the one before it."""
    first = np.empty(len(ordered), np.bool_)
    first[:1] = True
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return first


def sorted_within(hashes: Hashes, bounds: NDArray[np.intp]) -> Hashes:
    """Several sets in a row, each sorted in ascending order; set i is `hashes[bounds[i]:bounds[i + 1]]`."""
    ordered = hashes.copy()
    for start, end in pairwise(bounds.tolist()):
        ordered[start:end].sort()
    return ordered


def distinct_counts(hashes: Hashes, bounds: NDArray[np.intp]) -> NDArray[np.intp]:
    """The number of distinct hashes of each of several sets, shape (sets,)."""
    first = firsts(sorted_within(hashes, bounds))
    first[bounds[:-1][bounds[1:] > bounds[:-1]]] = True
    ends = first.nonzero()[0].searchsorted(bounds)
    return ends[1:] - ends[:-1]


def is_among(hashes: NDArray[np.unsignedinteger], ordered: NDArray[np.unsignedinteger]) -> NDArray[np.bool_]:
    """Which hashes are among `ordered` ones (ascending), shape (n,). Several times as fast as `np.isin`."""
    if not len(ordered):
        return np.zeros(len(hashes), np.bool_)
    places = np.minimum(np.searchsorted(ordered, hashes), len(ordered) - 1)
    matches: NDArray[np.bool_] = ordered[places] == hashes
    return matches


def resemblance(shared: float, a: float, b: float) -> float:
    """Resemblance of two sets of sizes `a` and `b`: 0 to 1, symmetric; 0 when both are empty."""
    return shared / (a + b - shared) if a + b else 0.0


def containment(shared: float, a: float) -> float:
    """Share of a set of size `a` that the other set holds: 0 to 1; 0 when it is empty."""
    return shared / a if a else 0.0
