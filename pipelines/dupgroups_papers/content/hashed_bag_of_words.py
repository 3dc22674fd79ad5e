"""Hashed bags of words, which the classifiers that learn words share.

A word is represented by a checksum, so the weights are a vector and no list of words is stored; words in the
same bucket share its weight.
"""

import zlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dupgroups.content.features import Ints

HASH_BUCKETS = 1 << 16


class Bags(NamedTuple):
    """The words of `size` bags: word i belongs to bag `owner[i]` and falls into `bucket[i]`."""

    size: int
    owner: Ints
    bucket: Ints

    def sums(self, weights: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
        """Sums of the weights (HASH_BUCKETS,) over the words of each bag, (size,)."""
        return np.asarray(np.bincount(self.owner, weights[self.bucket], self.size), np.float64)

    def spread(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sums of the values (size,) of bags over the words in each bucket, (HASH_BUCKETS,)."""
        return np.asarray(np.bincount(self.bucket, values[self.owner], HASH_BUCKETS), np.float64)


def bags(words: Sequence[Iterable[str]]) -> Bags:
    """The bags of these words, one per block."""
    buckets = [[bucket(word) for word in block] for block in words]
    sizes = [len(block) for block in buckets]
    flat = [number for block in buckets for number in block]
    return Bags(len(words), np.repeat(np.arange(len(words)), sizes), np.array(flat, np.int64))


@lru_cache(maxsize=50_000)
def bucket(word: str) -> int:
    """0 to HASH_BUCKETS - 1, the same on every machine."""
    return zlib.crc32(word.encode("utf-8", "surrogatepass")) % HASH_BUCKETS
