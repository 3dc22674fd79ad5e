"""Sketches of many sets as bytes: bitmaps or minima, behind their kind and the size of the set."""

from __future__ import annotations

import struct
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dupgroups.text.bitmaps import Bitmap, bitmaps
from dupgroups.text.hashing import Hashes
from dupgroups.text.sketches import Sketch, packed, sketches

Kind = Literal["bitmap", "minima"]
MINIMUM = 4  # bits of a minimum

_HEAD = struct.Struct("<cBI")  # kind, bytes of the sketch, size of the set
_BITMAP, _MINIMA = b"B", b"M"


def pack(kind: Kind, hashes: Hashes, bounds: NDArray[np.intp], bits: int) -> tuple[list[int], list[bytes]]:
    """The size and the packed sketch of several sets, set i being `hashes[bounds[i]:bounds[i + 1]]`."""
    if kind == "bitmap":
        sizes, rows = bitmaps(hashes, bounds, bits)
        letter, halves = _BITMAP, np.packbits(rows, axis=1)
    else:
        sizes, bins = sketches(hashes, bounds, bits // MINIMUM)
        letter, halves = _MINIMA, packed(bins)
    found = sizes.tolist()
    return found, [
        _HEAD.pack(letter, bits // 8, size) + row.tobytes() for size, row in zip(found, halves, strict=True)
    ]


def unpack(stored: bytes) -> tuple[Bitmap | Sketch, bytes]:
    """The sketch that `stored` begins with, and the bytes behind it. Raises ValueError for anything else."""
    if len(stored) < _HEAD.size:
        raise ValueError("no sketch")
    letter, length, size = _HEAD.unpack_from(stored)
    words, rest = stored[_HEAD.size : _HEAD.size + length], stored[_HEAD.size + length :]
    if letter not in (_BITMAP, _MINIMA) or len(words) < length:
        raise ValueError("no sketch")
    return (Bitmap if letter == _BITMAP else Sketch).unpack(size, words), rest
