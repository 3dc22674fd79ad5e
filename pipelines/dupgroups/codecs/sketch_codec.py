"""Sketches of many sets as bytes: a header with kind and size of the set, then a bitmap or minima."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from dupgroups.sketches.b_bit_minwise import Sketch, packed, permuted_sketches, sketches
from dupgroups.sketches.bitmaps import Bitmap, Bitmaps, bitmaps
from dupgroups.sketches.hashing import Hashes

Kind = Literal["bitmap", "one_permutation", "k_permutation"]
KINDS: tuple[Kind, ...] = get_args(Kind)
MINIMUM = 4  # bits of a minimum

_HEAD = struct.Struct("<cBI")  # kind, bytes of the sketch, size of the set
HEAD = _HEAD.size
Bounds = NDArray[np.intp]
Rows = tuple[NDArray[np.intp], NDArray[np.uint8]]


def pack(kind: Kind, hashes: Hashes, bounds: Bounds, bits: int) -> tuple[list[int], list[bytes]]:
    """The sizes and the packed sketches of several sets, where set i is `hashes[bounds[i]:bounds[i + 1]]`."""
    counts, rows = _MAKERS[kind](hashes, bounds, bits)
    letter, sizes = kind[0].upper().encode(), counts.tolist()
    return sizes, [
        _HEAD.pack(letter, bits // 8, size) + row.tobytes() for size, row in zip(sizes, rows, strict=True)
    ]


def unpack(stored: bytes) -> tuple[Bitmap | Sketch, bytes]:
    """The sketch at the start of `stored`, and the bytes after it. Raises ValueError for anything else."""
    if len(stored) < _HEAD.size:
        raise ValueError("not a sketch")
    letter, length, size = _HEAD.unpack_from(stored)
    words, rest = stored[_HEAD.size : _HEAD.size + length], stored[_HEAD.size + length :]
    if letter not in _READERS or len(words) < length:
        raise ValueError("not a sketch")
    return _READERS[letter](size, words), rest


def bitmap_sizes(heads: NDArray[np.uint8]) -> NDArray[np.int64]:
    """How many bytes each of these sketches takes with its head, -1 for one that is no bitmap; shape (n,).

    `heads`: the first `HEAD` bytes of each, shape (n, HEAD).
    """
    return np.where(heads[:, 0] == ord("B"), HEAD + heads[:, 1].astype(np.int64), -1)


def unpack_bitmaps(rows: NDArray[np.uint8]) -> Bitmaps:
    """Packed bitmaps of one length, shape (n, bytes of each with its head)."""
    sizes = np.ascontiguousarray(rows[:, 2:HEAD]).view("<u4")[:, 0].astype(np.int64)
    return Bitmaps(sizes, rows[:, HEAD:])


def _one_permutation(hashes: Hashes, bounds: Bounds, bits: int) -> Rows:
    sizes, bins = sketches(hashes, bounds, bits // MINIMUM)
    return sizes, packed(bins)


def _k_permutation(hashes: Hashes, bounds: Bounds, bits: int) -> Rows:
    sizes, bins = permuted_sketches(hashes, bounds, bits // MINIMUM)
    return sizes, packed(bins)


_MAKERS: dict[Kind, Callable[[Hashes, Bounds, int], Rows]] = {
    "bitmap": bitmaps,
    "one_permutation": _one_permutation,
    "k_permutation": _k_permutation,
}
_READERS: dict[bytes, Callable[[int, bytes], Bitmap | Sketch]] = {
    b"B": Bitmap,
    b"O": Sketch.unpack,
    b"K": Sketch.unpack,
}
