"""Bitmaps of sets: each element sets one bit, and the bits of two sets tell how much they share.

Whang, Vander-Zanden, Taylor: A Linear-Time Probabilistic Counting Algorithm for Database Applications (TODS
1990). Estan, Varghese, Fisk: Bitmap Algorithms for Counting Active Flows on High Speed Links (IMC 2003): in a
multiresolution bitmap a small part of all elements is kept with many bits, the rest with few.

Here a quarter of the elements, by their hashes, has m bits (`fine`), and the others share 3 m / 4 (`coarse`).
Of a set too large for that only a quarter, a sixteenth, ... of its elements is kept in this way: its level is
1, 2, ... Two sets of one level compare part by part. The fine part of a set has the scale of all that the
next level keeps, so that sets of neighbouring levels compare, too.

What two sets share follows by maximum likelihood, their sizes a and b being known. If they share s, a bit of
a part with scale M is 0 in the first with chance exp(-a / M), in the second with exp(-b / M), and in both
with exp(-(a + b - s) / M): s alone is unknown, and the likelihood of the four kinds of bits has one maximum.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dupgroups.text.hashing import Hashes
from dupgroups.text.sets import distinct_counts

Bits = NDArray[np.bool_]

MULTIPLE = 56  # of which the number of bits is one
LOAD = 2  # elements for each bit at most, before a quarter of them has to do
_STEPS = 30  # of the bisection
_HALF = np.uint64(32)


@dataclass(frozen=True, slots=True)
class Bitmap:
    """A set by its size and its bits (bool): `fine` (m,) and `coarse` (3 m / 4,), one behind the other."""

    size: int
    bits: Bits

    @classmethod
    def unpack(cls, size: int, packed: bytes) -> Bitmap:
        """The reverse of `np.packbits`."""
        return cls(size, np.unpackbits(np.frombuffer(packed, np.uint8)).view(np.bool_))

    @property
    def level(self) -> int:
        """Of the elements one in 4^level is kept."""
        return int(_levels(np.array([self.size]), self._fine)[0])

    def shared(self, other: Bitmap) -> float:
        """Estimate of how many elements two sets share, 0 to the smaller size. Symmetric; all for equal sets.

        0 where one set is much larger than the other, by two levels. Raises ValueError for bitmaps of unlike
        lengths.
        """
        small, large = sorted((self, other), key=lambda each: each.size)
        if len(small.bits) != len(large.bits):
            raise ValueError(f"bitmaps of {len(small.bits)} and {len(large.bits)} bits do not compare")
        if small.size == large.size and np.array_equal(small.bits, large.bits):
            return float(small.size)
        level, m = small.level, small._fine
        parts = []
        if level == large.level:
            parts.append(_Part.of(m << 2 * level + 2, small.bits[:m], large.bits[:m]))
            parts.append(_Part.of(m << 2 * level, small.bits[m:], large.bits[m:]))
        elif level + 1 == large.level:
            parts.append(_Part.of(m << 2 * level + 2, small.bits[:m], large._whole()))
        return _likeliest(small.size, large.size, parts) if parts and small.size else 0.0

    @property
    def _fine(self) -> int:
        return 4 * len(self.bits) // 7

    def _whole(self) -> Bits:
        """All elements that are kept, at the scale of the coarse ones."""
        fine = np.logical_or.reduce(self.bits[: self._fine].reshape(-1, 4), axis=1)
        return np.concatenate([fine, self.bits[self._fine :]])


def bitmaps(hashes: Hashes, bounds: NDArray[np.intp], bits: int) -> tuple[NDArray[np.intp], Bits]:
    """The bitmaps of several sets, set i being `hashes[bounds[i]:bounds[i + 1]]`, repeated ones repeated.

    Sizes (sets,) and bits (sets, bits).
    """
    sizes, lengths, m = distinct_counts(hashes, bounds), bounds[1:] - bounds[:-1], 4 * bits // 7
    scale = (m << 2 * _levels(sizes, m) + 2).astype(np.uint64)
    # the bit is the high part of the hash, so that every level keeps what the next one keeps
    places = ((hashes >> _HALF) * scale.repeat(lengths) >> _HALF).view(np.int64)
    places = np.where(places < m, places, (places >> 2) + m - m // 4)
    rows = np.zeros(len(sizes) * bits, np.bool_)
    rows[(places + np.arange(0, len(rows), bits).repeat(lengths))[places < bits]] = True
    return sizes, rows.reshape(-1, bits)


def _levels(sizes: NDArray[np.intp], m: int) -> NDArray[np.intp]:
    """How often a quarter of the elements has to do."""
    return np.left_shift(LOAD * m, 2 * np.arange(12)).searchsorted(sizes)


@dataclass(frozen=True, slots=True)
class _Part:
    """Bits of two sets at one scale: how many are 1 in both, in the first, in the second, in neither."""

    scale: int
    counts: tuple[int, int, int, int]

    @classmethod
    def of(cls, scale: int, one: Bits, two: Bits) -> _Part:
        both = int(np.count_nonzero(one & two))
        first, second = int(np.count_nonzero(one)) - both, int(np.count_nonzero(two)) - both
        return cls(scale, (both, first, second, len(one) - both - first - second))

    def slope(self, a: int, b: int, shared: float) -> float:
        """How the logarithm of the likelihood grows with what the sets share."""
        zero_a, zero_b = math.exp(-a / self.scale), math.exp(-b / self.scale)
        q = math.exp((shared - a - b) / self.scale)
        both, first, second, none = self.counts
        grows = none / q + both / (1 - zero_a - zero_b + q)
        falls = (first / (zero_b - q) if first else 0.0) + (second / (zero_a - q) if second else 0.0)
        return q / self.scale * (grows - falls)


def _likeliest(a: int, b: int, parts: Sequence[_Part]) -> float:
    """What sets of `a` and `b` elements share, by bisection: 0 to the smaller size."""
    low, high = 0.0, float(min(a, b))
    for _ in range(_STEPS):
        middle = (low + high) / 2
        rising = sum(part.slope(a, b, middle) for part in parts) > 0
        low, high = (middle, high) if rising else (low, middle)
    return (low + high) / 2
