"""Bitmaps of many sets as bytes: a header with the size of the set, then the bits."""

from __future__ import annotations

import struct

import numpy as np
from numpy.typing import NDArray

from dupgroups.methods.sketches.bitmaps import Bitmap, Bitmaps, bitmaps
from dupgroups.text.hashing import Hashes

_HEAD = struct.Struct("<cBI")  # "B", bytes of the bitmap, size of the set
HEAD = _HEAD.size


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
