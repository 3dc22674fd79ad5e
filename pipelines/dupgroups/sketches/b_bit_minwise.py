"""Sketches of sets: a few bits for each of k minima, from which resemblance is estimated.

Li, Owen, Zhang: One Permutation Hashing (NIPS 2012): hashes fall into k bins, and the smallest hash of each
bin is kept. Among the bins that are not empty in both sets, the share of equal minima estimates the
resemblance. A set smaller than k is stored almost whole, so short texts are compared almost exactly.
Li and Koenig: b-Bit Minwise Hashing (WWW 2010): 4 bits of each minimum are enough. Two different minima agree
by chance once in 15, which the estimate corrects for. Empty bins are the sixteenth value.

The minima of k permutations (Broder 1997; `dupgroups.sketches.min_values`) are compared in the same way, and
their bins are never empty. They take k times the work and are not better; for sets of fewer than k elements
they are worse.

For k bins the standard error at resemblance 0.5 is at most 0.5 / sqrt(0.8 k): 0.029 for 384 bins.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dupgroups.sketches.hashing import Hashes
from dupgroups.sketches.min_values import min_values
from dupgroups.sketches.sets import distinct, firsts, sorted_within

VALUES = 15  # of a bin that is not empty; 4 bits with the empty one
_HALF = np.uint64(32)


@dataclass(frozen=True, slots=True)
class Sketch:
    """A set by its size and the bins of its sketch (uint8, 0 to 15, 0 for empty)."""

    size: int
    bins: NDArray[np.uint8]

    def pack(self) -> bytes:
        """The bins, half a byte each."""
        return packed(self.bins).tobytes()

    @classmethod
    def unpack(cls, size: int, packed: bytes) -> Sketch:
        """The inverse of `pack`."""
        pairs = np.frombuffer(packed, np.uint8)
        bins = np.empty(2 * len(pairs), np.uint8)
        bins[0::2], bins[1::2] = pairs >> 4, pairs & 15
        return cls(size, bins)

    def shared(self, other: Sketch) -> float:
        """Estimate of how many elements two sets share, by their resemblance; at most the smaller size."""
        return overlap(self, other, resemblance(self, other))


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


def sketch(hashes: Hashes, bins: int) -> Sketch:
    """The sketch of a set of hashes, in any order and with any repetitions. Without hashes its size is 0."""
    sizes, rows = sketches(hashes, np.array([0, len(hashes)]), bins)
    return Sketch(int(sizes[0]), rows[0])


def sketches(
    hashes: Hashes, bounds: NDArray[np.intp], bins: int
) -> tuple[NDArray[np.intp], NDArray[np.uint8]]:
    """The sketches of several sets, where set i is `hashes[bounds[i]:bounds[i + 1]]`.

    Returns sizes of shape (sets,) and bins of shape (sets, bins).
    """
    sizes, places, lowest = bounded_minima(hashes, bounds, bins)
    rows = np.zeros((len(sizes), bins), np.uint8)
    rows.reshape(-1)[places] = _values(lowest)
    return sizes, rows


def permuted_sketches(
    hashes: Hashes, bounds: NDArray[np.intp], bins: int
) -> tuple[NDArray[np.intp], NDArray[np.uint8]]:
    """The same with the minima of as many permutations as there are bins; an empty set has empty bins."""
    sets = [distinct(hashes[start:end]) for start, end in pairwise(bounds.tolist())]
    rows = np.zeros((len(sets), bins), np.uint8)
    for row, members in zip(rows, sets, strict=True):
        row[:] = _values(min_values(members, bins)) if len(members) else 0
    return np.array(list(map(len, sets)), np.intp), rows


def _values(lowest: Hashes) -> NDArray[np.uint8]:
    """The four bits that are kept of minima."""
    return (1 + (lowest & np.uint64(0xFFFFFFFF)) % np.uint64(VALUES)).astype(np.uint8)


def packed(bins: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The bins of the last axis, half a byte each."""
    return bins[..., 0::2] << np.uint8(4) | bins[..., 1::2]


def resemblance(a: Sketch, b: Sketch) -> float:
    """Estimate of |A and B| / |A or B|, 0 to 1; 0 when both are empty. Symmetric; exactly 1 for equal sets.

    Raises ValueError for sketches with different numbers of bins.
    """
    if len(a.bins) != len(b.bins):
        raise ValueError(f"sketches of {len(a.bins)} and {len(b.bins)} bins cannot be compared")
    used = int(np.count_nonzero(a.bins | b.bins))
    both = (a.bins != 0) & (b.bins != 0)
    agree = int(np.count_nonzero((a.bins == b.bins) & both))
    differ = int(np.count_nonzero(both)) - agree
    by_chance = differ / (VALUES - 1)
    return max(0.0, agree - by_chance) / used if used else 0.0


def overlap(a: Sketch, b: Sketch, resembling: float) -> float:
    """Estimate of |A and B| from the resemblance and the sizes; at most the smaller size."""
    return min(resembling * (a.size + b.size) / (1 + resembling), a.size, b.size)
