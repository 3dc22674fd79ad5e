"""Sketches of many sets as bytes: a header with kind and size of the set, then a bitmap or minima."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from dupgroups.sketches.b_bit_minwise import Sketch, packed, permuted_sketches, sketches
from dupgroups.sketches.bitmaps import Bitmap, bitmaps
from dupgroups.sketches.hashing import Hashes

Kind = Literal["bitmap", "one_permutation", "k_permutation"]
KINDS: tuple[Kind, ...] = get_args(Kind)
MINIMUM = 4  # bits of a minimum

_HEAD = struct.Struct("<cBI")  # kind, bytes of the sketch, size of the set
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
