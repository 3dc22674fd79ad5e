"""Sketches of sets: a few bits for each bin of one permutation, from which resemblance is estimated.

Li, Owen, Zhang: One Permutation Hashing (NIPS 2012): hashes fall into k bins and the smallest of each bin is
kept; of the bins that are not empty in both sets, the share in which the minima agree estimates the
resemblance. A set smaller than k is nearly stored whole, so that short texts are compared almost exactly.
Li and Koenig: b-Bit Minwise Hashing (WWW 2010): 4 bits of each minimum are enough; two unlike minima agree
by chance once in 15, which the estimate takes off. Empty bins are the sixteenth value.

For k bins the standard error at resemblance 0.5 is at most 0.5 / sqrt(0.8 k): 0.029 for 384 bins.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dupgroups.text.hashing import Hashes

VALUES = 15  # of a bin that is not empty; 4 bits with the empty one
LARGEST = 0xFFFF  # sizes above are stored as this


@dataclass(frozen=True, slots=True)
class Sketch:
    """A set by its size (at most `LARGEST`) and the bins of its sketch (uint8, 0 to 15, 0 for empty)."""

    size: int
    bins: NDArray[np.uint8]

    def pack(self) -> bytes:
        """Half a byte for each bin."""
        return bytes((self.bins[0::2] << 4 | self.bins[1::2]).astype(np.uint8))

    @classmethod
    def unpack(cls, size: int, packed: bytes) -> Sketch:
        """The reverse of `pack`."""
        pairs = np.frombuffer(packed, np.uint8)
        bins = np.empty(2 * len(pairs), np.uint8)
        bins[0::2], bins[1::2] = pairs >> 4, pairs & 15
        return cls(size, bins)


def minima(hashes: Hashes, bins: int) -> tuple[int, NDArray[np.intp], Hashes]:
    """How many distinct hashes there are, the bins that are not empty, ascending, and the minimum of each."""
    ordered = np.sort(hashes)
    distinct = int(np.count_nonzero(ordered[1:] != ordered[:-1])) + min(1, len(ordered))
    # the bin is the high part of the hash, so the first hash of a bin is its minimum
    places = ((ordered >> np.uint64(32)) * np.uint64(bins) >> np.uint64(32)).astype(np.intp)
    first = np.ones(len(ordered), np.bool_)
    first[1:] = places[1:] != places[:-1]
    return distinct, places[first], ordered[first]


def sketch(hashes: Hashes, bins: int) -> Sketch:
    """The sketch of a set of hashes, given in any order and multiplicity. No hashes give size 0."""
    size, places, lowest = minima(hashes, bins)
    found = np.zeros(bins, np.uint8)
    found[places] = 1 + (lowest & np.uint64(0xFFFFFFFF)) % np.uint64(VALUES)
    return Sketch(min(size, LARGEST), found)


def resemblance(a: Sketch, b: Sketch) -> float:
    """Estimate of |A and B| / |A or B|, 0 to 1; 0 when both are empty. Symmetric; exactly 1 for equal sets.

    Raises ValueError for sketches of unlike numbers of bins.
    """
    used = int(np.count_nonzero(a.bins | b.bins))
    both = (a.bins != 0) & (b.bins != 0)
    agree = int(np.count_nonzero((a.bins == b.bins) & both))
    unlike = int(np.count_nonzero(both)) - agree
    by_chance = unlike / (VALUES - 1)
    return max(0.0, agree - by_chance) / used if used else 0.0


def overlap(a: Sketch, b: Sketch, resembling: float) -> float:
    """Estimate of |A and B| from the resemblance and the sizes, at most the smaller size."""
    return min(resembling * (a.size + b.size) / (1 + resembling), a.size, b.size)
