"""MinHash over word or character shingles.

Broder: On the resemblance and containment of documents (SEQUENCES 1997); shingles of words for near-duplicate
news as in Gibson, Wellner, Lubar: Identification of Duplicate News Stories in Web Pages (2008), section 4.2;
banding as in Leskovec, Rajaraman, Ullman: Mining of Massive Datasets, section 3.4.

| field | default | |
|---|---|---|
| size | 3 | tokens in a shingle that is compared |
| key_size | 6 | tokens in a shingle that is looked up |
| similarity, recall | 0.15, 0.99 | so many of the pairs whose key shingles are so similar share a key |
| bins | 256 | minima in the body: the resemblance is off by 0.03 or less two times in three |
| figures | 32 | figures in the body |
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dupgroups.model import Content, Signature
from dupgroups.text import sketches
from dupgroups.text.hashing import Hashes, combine, key_strings
from dupgroups.text.shingles import shingles, tokens

MAX_KEYS = 30
MIN_SHINGLES = 12  # distinct ones; below, two texts of one sentence would be the same story


@dataclass(frozen=True)
class MinHash:
    """Longer key shingles, and more rows in a band, let fewer unrelated texts meet; `bands` weighs that."""

    size: int = 3
    key_size: int = 6
    similarity: float = 0.15
    recall: float = 0.99
    bins: int = 256
    figures: int = 32

    def __post_init__(self) -> None:
        if not (1 <= self.size <= 32 and 1 <= self.key_size <= 32):
            raise ValueError("size and key_size are numbers of tokens, 1 to 32")
        if self.bins % 2 or not 16 <= self.bins <= 1024:
            raise ValueError("bins is an even number from 16 to 1024")
        if not 0 <= self.figures <= 64:
            raise ValueError("figures is a number from 0 to 64")
        bands(self.similarity, self.recall)

    @cached_property
    def scheme(self) -> str:
        """Everything that the keys and the body depend on."""
        count, rows = bands(self.similarity, self.recall)
        return f"minhash-1:{self.size}:{self.key_size}:{count}x{rows}:{self.bins}:{self.figures}"

    def __call__(self, content: Content) -> Signature:
        """Keys and body of the text; no keys when it has fewer than MIN_SHINGLES shingles."""
        found = tokens(content.text)
        compared = np.unique(shingles(found, self.size))
        looked_up = np.sort(shingles(found, self.key_size, within_sentences=False))
        if len(compared) < MIN_SHINGLES or not len(looked_up):
            return Signature(self.scheme)
        body = sketches.pack(compared, sketches.figures_of(found, self.figures), self.bins)
        return Signature(self.scheme, key_strings(self._keys(looked_up)), body)

    def _keys(self, looked_up: Hashes) -> Hashes:
        """One key for each band whose rows all have a minimum, and whose place is part of the key."""
        count, rows = bands(self.similarity, self.recall)
        smallest, filled = sketches.minima(looked_up, count * rows)
        table, whole = smallest.reshape(count, rows), filled.reshape(count, rows).all(axis=1)
        return combine(list(table[whole].T))


def bands(similarity: float, recall: float) -> tuple[int, int]:
    """Number of bands and rows in each, so that pairs of `similarity` share a key with probability `recall`.

    Two texts of resemblance s agree in all r rows of one of b bands with probability 1 - (1 - s^r)^b. The
    most rows are taken that MAX_KEYS bands allow. Raises ValueError when even one row a band does not suffice.

    >>> bands(0.15, 0.99), bands(0.6, 0.99)
    ((29, 1), (20, 3))
    """
    if not (0 < similarity < 1 and 0 < recall < 1):
        raise ValueError("similarity and recall lie between 0 and 1")
    needed = [
        math.ceil(math.log(1 - recall) / math.log1p(-(similarity**rows)) - 1e-9) for rows in range(1, 17)
    ]
    possible = [(count, rows) for rows, count in enumerate(needed, 1) if count <= MAX_KEYS]
    if not possible:
        raise ValueError(
            f"similarity {similarity} with recall {recall} needs {needed[0]} keys, more than {MAX_KEYS}"
        )
    return possible[-1]
