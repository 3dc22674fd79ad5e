"""Bags of words as numbers: what the classifiers that learn words have in common.

A word is known by a checksum, so that weights are one vector and no list of words; two words that meet in one
bucket share its weight.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dupgroups.content.features import Ints

BUCKETS = 1 << 16


class Bags(NamedTuple):
    """The words of `size` bags: word i is of bag `owner[i]`, in `bucket[i]`."""

    size: int
    owner: Ints
    bucket: Ints

    def sums(self, weights: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
        """Sum of the weights (BUCKETS,) of each bag's words, (size,)."""
        return np.asarray(np.bincount(self.owner, weights[self.bucket], self.size), np.float64)

    def spread(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum of the values (size,) of the bags that each bucket's words are in, (BUCKETS,)."""
        return np.asarray(np.bincount(self.bucket, values[self.owner], BUCKETS), np.float64)


def bags(words: Sequence[Iterable[str]]) -> Bags:
    """The bags of these words, one a block."""
    found = [[bucket(word) for word in each] for each in words]
    sizes = [len(each) for each in found]
    flat = [at for each in found for at in each]
    return Bags(len(words), np.repeat(np.arange(len(words)), sizes), np.array(flat, np.int64))


@lru_cache(maxsize=50_000)
def bucket(word: str) -> int:
    """0 to BUCKETS - 1, the same on every machine."""
    return zlib.crc32(word.encode("utf-8", "surrogatepass")) % BUCKETS
