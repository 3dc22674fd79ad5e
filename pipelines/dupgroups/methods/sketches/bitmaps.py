"""Bitmaps of sets: each element sets one bit, and the bits of two sets show how much they share.

Whang, Vander-Zanden, Taylor: A Linear-Time Probabilistic Counting Algorithm for Database Applications (TODS
1990). Estan, Varghese, Fisk: Bitmap Algorithms for Counting Active Flows on High Speed Links (IMC 2003): a
multiresolution bitmap keeps a small part of all elements with many bits, and the rest with few.

Here a quarter of the elements, chosen by their hashes, has m bits (`fine`), and the others share 3 m / 4
(`coarse`). When a set is too large for that, only a quarter, a sixteenth, ... of its elements is kept in this
way: its level is 1, 2, ... Two sets of one level are compared part by part. The fine part of a set has the
scale of everything that the next level keeps, so sets of neighbouring levels can be compared as well.

The number of shared elements is a maximum likelihood estimate; the sizes a and b of the sets are known. If
they share s, a bit of a part with scale M is 0 in the first with probability exp(-a / M), in the second with
exp(-b / M), and in both with exp(-(a + b - s) / M). Only s is unknown, and the likelihood of the four kinds
of bits has one maximum.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dupgroups.text.hashing import Hashes
from dupgroups.text.sets import distinct_counts

BITS_MULTIPLE = 56  # the number of bits must be a multiple of this
MAX_LOAD = 2  # most elements per bit; of a larger set only a quarter is kept
_EXACT_SHARE = 1e-6  # the search ends at steps below this share of the smaller set
_HALF = np.uint64(32)
_REDUCTIONS = 4 ** np.arange(12)  # one in so many elements is kept at each level

_HEAD = struct.Struct("<cBI")  # "B", bytes of the bitmap, size of the set
HEAD = _HEAD.size


@dataclass(frozen=True, slots=True)
class Bitmap:
    """A set by its size and its packed bits: `fine` (m,), followed by `coarse` (3 m / 4,)."""

    size: int
    packed: bytes

    @property
    def level(self) -> int:
        """One in 4^level elements is kept."""
        level, room = 0, MAX_LOAD * 8 * self._fine
        while self.size > room << 2 * level:
            level += 1
        return level

    def estimate_shared(self, other: Bitmap) -> float:
        """Estimate of how many elements two sets share, 0 to the smaller size. Symmetric; exact if equal.

        0 when one set is much larger than the other, by two levels. Raises ValueError for bitmaps of
        different lengths.
        """
        if len(self.packed) != len(other.packed):
            lengths = f"{8 * len(self.packed)} and {8 * len(other.packed)}"
            raise ValueError(f"bitmaps of {lengths} bits cannot be compared")
        small, large = sorted((self, other), key=lambda bitmap: (bitmap.size, bitmap.packed))
        one, two = small.packed, large.packed
        if small.size == large.size and one == two:
            return float(small.size)
        level, m = small.level, small._fine
        pairs = []  # (scale, bits of one, bits of the other)
        if level == large.level:
            pairs.append((8 * m << 2 * level + 2, one[:m], two[:m]))
            pairs.append((8 * m << 2 * level, one[m:], two[m:]))
        elif level + 1 == large.level:
            pairs.append((8 * m << 2 * level + 2, one[:m], large._all_bits()))
        parts = [_Part.of(*pair, small.size, large.size) for pair in pairs]
        return _likeliest(small.size, parts) if parts and small.size else 0.0

    @property
    def _fine(self) -> int:
        """The number of bytes of the fine part."""
        return 4 * len(self.packed) // 7

    def _all_bits(self) -> bytes:
        """The bits of all elements that are kept, at the scale of the coarse part."""
        fine = np.unpackbits(np.frombuffer(self.packed[: self._fine], np.uint8))
        return np.packbits(fine.reshape(-1, 4).any(axis=1)).tobytes() + self.packed[self._fine :]


@dataclass(frozen=True, slots=True)
class Bitmaps:
    """Many bitmaps of one length: `sizes` of shape (n,), `rows` of packed bits of shape (n, bits / 8)."""

    sizes: NDArray[np.int64]
    rows: NDArray[np.uint8]

    def __getitem__(self, which: NDArray[np.bool_]) -> Bitmaps:
        """Some of them."""
        return Bitmaps(self.sizes[which], self.rows[which])

    @property
    def levels(self) -> NDArray[np.int64]:
        """See Bitmap."""
        return _levels(self.sizes, 8 * (4 * self.rows.shape[1] // 7))

    def share_more(self, others: Bitmaps, amounts: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Whether each pair of bitmaps of one level shares more than this amount by `Bitmap.estimate_shared`.

        Amounts are below both sizes; next to the estimate itself (within `_EXACT_SHARE` of it) it may be
        wrong.
        """
        fine = 4 * self.rows.shape[1] // 7
        scales = 8 * fine << 2 * self.levels
        slopes = self._slopes(others, slice(fine), 4 * scales, amounts)
        # the likelihood grows towards more, and has one maximum
        return slopes + self._slopes(others, slice(fine, None), scales, amounts) > 0

    def common_bits(self, others: Bitmaps) -> NDArray[np.float64]:
        """The share of the bits that are 1 in one of each pair of bitmaps that are 1 in both; 0 for none, and
        for sets that are two levels apart. Of neighbouring levels, those at the scale that both have.
        """
        found = np.zeros(len(self.sizes))
        for which, a, b in self._at_one_scale(others):
            found[which] = _count_ones(a & b) / np.maximum(1, _count_ones(a | b))
        return found

    def containments(self, others: Bitmaps) -> NDArray[np.float64]:
        """The share of the smaller one of each pair of sets that the other one has, by linear counting of the
        same bits (Whang, Vander-Zanden and Taylor 1990).
        """
        found = np.zeros(len(self.sizes))
        for which, a, b in self._at_one_scale(others):
            bits = 64 * a.shape[1]
            ones = (np.minimum(_count_ones(words), bits - 1) for words in (a, b, a | b))
            one, two, both = (-np.log(1 - some / bits) for some in ones)
            found[which] = (one + two - both) / np.maximum(1 / bits, np.minimum(one, two))
        return np.clip(found, 0, 1)

    def _at_one_scale(
        self, others: Bitmaps
    ) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.uint64], NDArray[np.uint64]]]:
        """The pairs of one level and of neighbouring ones, each with the bits at the scale that both have."""
        apart = self.levels - others.levels
        for which, one, two in (
            (apart == 0, self.rows, others.rows),
            (apart == -1, self._fine_rows(), others._whole_rows()),
            (apart == 1, self._whole_rows(), others._fine_rows()),
        ):
            yield which, _words(one[which]), _words(two[which])

    def _fine_rows(self) -> NDArray[np.uint8]:
        return self.rows[:, : 4 * self.rows.shape[1] // 7]

    def _whole_rows(self) -> NDArray[np.uint8]:
        """See `Bitmap._all_bits`."""
        fine = self._fine_rows()
        folded = np.unpackbits(fine, axis=1).reshape(len(fine), -1, 4).any(axis=2)
        return np.hstack([np.packbits(folded, axis=1), self.rows[:, fine.shape[1] :]])

    def _slopes(
        self, others: Bitmaps, part: slice, scales: NDArray[np.int64], shared: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """The first derivative of the log likelihood, as `_Part.slopes`."""
        one, two = _words(self.rows[:, part]), _words(others.rows[:, part])
        both, first, second = _count_ones(one & two), _count_ones(one), _count_ones(two)
        first, second = first - both, second - both
        neither = 8 * len(range(*part.indices(self.rows.shape[1]))) - both - first - second
        a, b = np.exp(-self.sizes / scales), np.exp(-others.sizes / scales)
        q = a * b * np.exp(shared / scales)
        slopes: NDArray[np.float64] = (
            neither + q * (both / (1 - a - b + q) - first / (b - q) - second / (a - q))
        ) / scales
        return slopes


def _words(rows: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Rows of bytes as rows of words, filled up with zeros."""
    words = np.zeros((len(rows), -(-rows.shape[1] // 8)), np.uint64)
    words.view(np.uint8)[:, : rows.shape[1]] = rows
    return words


def _count_ones(words: NDArray[np.uint64]) -> NDArray[np.int64]:
    ones: NDArray[np.int64] = _bit_count(words).sum(axis=1, dtype=np.int64)
    return ones


_BITS = np.array([number.bit_count() for number in range(1 << 16)], np.uint8)
_bit_count = getattr(np, "bitwise_count", lambda words: _BITS[words.view(np.uint16)])  # NumPy 2 has it


def bitmaps(
    hashes: Hashes, bounds: NDArray[np.intp], bits: int
) -> tuple[NDArray[np.intp], NDArray[np.uint8]]:
    """The bitmaps of several sets, where set i is `hashes[bounds[i]:bounds[i + 1]]`, with any repetitions.

    Returns sizes of shape (sets,) and packed bits of shape (sets, bits / 8).
    """
    sizes, lengths, m = distinct_counts(hashes, bounds), bounds[1:] - bounds[:-1], 4 * bits // 7
    scale = (m << 2 * _levels(sizes, m) + 2).astype(np.uint64)
    # the bit is the high part of the hash, so that every level keeps all that the next one keeps
    places = ((hashes >> _HALF) * scale.repeat(lengths) >> _HALF).view(np.int64)
    places = np.where(places < m, places, (places >> 2) + (m - m // 4))
    rows = np.zeros(len(sizes) * bits, np.bool_)
    rows[(places + np.arange(0, len(rows), bits).repeat(lengths))[places < bits]] = True
    return sizes, np.packbits(rows.reshape(-1, bits), axis=1)


def _levels(sizes: NDArray[np.intp], m: int) -> NDArray[np.intp]:
    """The level of each set: how many times it is reduced to a quarter of its elements."""
    return (MAX_LOAD * m * _REDUCTIONS).searchsorted(sizes)


@dataclass(frozen=True, slots=True)
class _Part:
    """Bits of two sets at one scale: the probabilities that a bit is 0 in the first and in the second set.

    Also how many bits are 1 in both, only in the first, only in the second, and in neither."""

    scale: int
    zero_a: float
    zero_b: float
    both: int
    first: int
    second: int
    neither: int

    @classmethod
    def of(cls, scale: int, one: bytes, two: bytes, a: int, b: int) -> _Part:
        """The part of sets of `a` and `b` elements."""
        bits_a, bits_b = int.from_bytes(one, "big"), int.from_bytes(two, "big")
        both = (bits_a & bits_b).bit_count()
        first, second = bits_a.bit_count() - both, bits_b.bit_count() - both
        neither = 8 * len(one) - both - first - second
        return cls(scale, math.exp(-a / scale), math.exp(-b / scale), both, first, second, neither)

    def slopes(self, shared: float) -> tuple[float, float]:
        """First and second derivative of the log likelihood with respect to the number of shared elements."""
        a, b, scale = self.zero_a, self.zero_b, self.scale
        q = a * b * math.exp(shared / scale)
        both = self.both / (1 - a - b + q)
        first = self.first / (b - q) if self.first else 0.0
        second = self.second / (a - q) if self.second else 0.0
        slope = self.neither + q * (both - first - second)
        bend = (1 - a - b) * both / (1 - a - b + q) - b * first / (b - q) - a * second / (a - q)
        return slope / scale, q * bend / scale**2


def _likeliest(most: int, parts: Sequence[_Part]) -> float:
    """The likeliest number of shared elements, 0 to `most` (the smaller size): Newton's method, bracketed."""
    low, high = 0.0, float(most)
    estimate, step = most / 2, float(most)
    while abs(step) > _EXACT_SHARE * most:
        slope = bend = 0.0
        for part in parts:
            first, second = part.slopes(estimate)
            slope, bend = slope + first, bend + second
        low, high = (estimate, high) if slope > 0 else (low, estimate)
        step = -slope / bend if bend < 0 else high - low
        if not low < estimate + step < high:
            step = (low + high) / 2 - estimate
        estimate += step
    return estimate


# -- bitmaps of many sets as bytes: a header with the size of the set, then the bits


def pack(hashes: Hashes, bounds: NDArray[np.intp], bits: int) -> tuple[list[int], list[bytes]]:
    """The sizes and the packed bitmaps of several sets, where set i is `hashes[bounds[i]:bounds[i + 1]]`."""
    counts, rows = bitmaps(hashes, bounds, bits)
    sizes = counts.tolist()
    heads = (_HEAD.pack(b"B", bits // 8, size) for size in sizes)
    return sizes, [head + row.tobytes() for head, row in zip(heads, rows, strict=True)]


def unpack(stored: bytes) -> tuple[Bitmap, bytes]:
    """The bitmap at the start of `stored`, and the bytes after it. Raises ValueError for anything else."""
    letter, length, size = _HEAD.unpack_from(stored) if len(stored) >= HEAD else (b"", 0, 0)
    if letter != b"B" or len(stored) < HEAD + length:
        raise ValueError("not a bitmap")
    return Bitmap(size, stored[HEAD : HEAD + length]), stored[HEAD + length :]


def bitmap_sizes(heads: NDArray[np.uint8]) -> NDArray[np.int64]:
    """How many bytes each bitmap takes with its head, -1 for what is no bitmap; shape (n,).

    `heads`: the first `HEAD` bytes of each, shape (n, HEAD).
    """
    return np.where(heads[:, 0] == ord("B"), HEAD + heads[:, 1].astype(np.int64), -1)


def unpack_bitmaps(rows: NDArray[np.uint8]) -> Bitmaps:
    """Packed bitmaps of one length, shape (n, bytes of each with its head)."""
    sizes = np.ascontiguousarray(rows[:, 2:HEAD]).view("<u4")[:, 0].astype(np.int64)
    return Bitmaps(sizes, rows[:, HEAD:])
