"""Random projections of weighted features onto bits.

Charikar: Similarity Estimation Techniques from Rounding Algorithms (STOC 2002), section 3: a bit says on
which side of a random hyperplane a vector lies, and two vectors at an angle t differ in one such bit with
probability t / pi. Each bit of a feature's hash is its component (+1 or -1) in one direction.
"""

import numpy as np
from numpy.typing import NDArray

from dupgroups.text.hashing import Hashes, mix

_BATCH_FEATURES = 16_384  # features unpacked at a time, so that memory stays small


def project(digests: NDArray[np.uint8], weights: NDArray[np.float64] | None = None) -> bytes:
    """One bit for each bit of the digests: 1 where the digests with a 1 have more than half of the weight.

    `digests` has shape (features, bytes) and `weights` (features,); None stands for weights of 1. Without
    features all bits are 0.
    """
    ones = np.zeros(8 * digests.shape[1])
    for start in range(0, len(digests), _BATCH_FEATURES):
        bits = np.unpackbits(digests[start : start + _BATCH_FEATURES], axis=1)
        if weights is None:
            ones += bits.sum(axis=0, dtype=np.uint32)
        else:
            ones += weights[start : start + _BATCH_FEATURES] @ bits
    total = len(digests) if weights is None else weights.sum()
    return np.packbits(2 * ones > total).tobytes()


def widen(hashes: Hashes, words: int) -> NDArray[np.uint8]:
    """Digests of `8 * words` bytes, shape (hashes, 8 * words): independent mixes of each hash."""
    seeds = mix(np.arange(1, words + 1, dtype=np.uint64))
    return mix(hashes[:, None] ^ seeds).astype(">u8").view(np.uint8).reshape(len(hashes), 8 * words)


def distance(a: bytes, b: bytes) -> int:
    """Hamming distance: how many bits differ. Raises ValueError for different lengths."""
    if len(a) != len(b):
        raise ValueError(f"{8 * len(a)} bits cannot be compared with {8 * len(b)}")
    return (int.from_bytes(a, "big") ^ int.from_bytes(b, "big")).bit_count()


def same_pieces(a: bytes, b: bytes, pieces: int) -> int:
    """How many of the `pieces` parts of equal size (give or take a bit) of two projections are the same."""
    if not pieces:
        return 0
    differ = np.unpackbits(np.frombuffer(a, np.uint8) ^ np.frombuffer(b, np.uint8))
    return sum(not piece.any() for piece in np.array_split(differ, pieces))
