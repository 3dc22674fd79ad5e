"""SimHash: 64 bits that differ in few places when two texts share most of their features.

Charikar: Similarity Estimation Techniques from Rounding Algorithms (STOC 2002). Manku, Jain, Das Sarma:
Detecting Near-Duplicates for Web Crawling (WWW 2007): near duplicates differ in at most 3 of 64 bits, and
tables of permuted blocks find them. Of `blocks` blocks, at most `distance` hold a differing bit, so two such
values agree completely on some choice of the other blocks. Each choice is a key.

More blocks than distance + 1 make more and longer keys: 4 blocks at distance 3 give 4 keys of 16 bits, which
15 of a million documents share by chance; 5 blocks give 10 keys of 25 bits, 6 blocks 20 of 32.

Three bits are few for news: a paragraph that was cut changes more. `distance = 6` with 8 blocks (28 keys) and
a judge with the same distance find nearly twice as many copies, but two to fifteen times as many candidates.

The features are shingles of tokens; in a script without blanks a token is one character. They separate
stories on one subject better than the single words of the paper, weighted by their frequency, do.

| field       | default    | meaning |
|-------------|------------|---|
| size        | 2          | tokens of a shingle |
| distance    | 3          | bits in which two values may differ and are certain to be found (paper: 3) |
| blocks      | 5          | blocks that the 64 bits are cut into |
| least       | 8          | distinct features that a text needs: a shorter one is not compared |

A dateline in front changes two of the 64 bits; the keys that hold neither of them stay the same:

>>> from dupgroups.model import Content
>>> from dupgroups_papers.signatures.simhash import SimHash
>>> text = "The ferry struck a moored barge in thick fog. Two people are missing, the coast guard said."
>>> signer = SimHash(least=1)
>>> story, copy = signer(Content(text)), signer(Content("KESSEL - " + text))
>>> (int.from_bytes(story.body, "big") ^ int.from_bytes(copy.body, "big")).bit_count()
2
>>> len(story.keys), len(set(story.keys) & set(copy.keys))
(10, 6)
"""

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from typing import ClassVar

import numpy as np

from dupgroups.errors import ConfigError
from dupgroups.methods.signatures.base import MOST_KEYS, SchemeOfFields
from dupgroups.methods.sketches.keys import key_strings
from dupgroups.model import Content, Signature
from dupgroups.text.hashing import Hashes, mix
from dupgroups.text.sentences import tokens
from dupgroups.text.sets import distinct
from dupgroups.text.shingles import bounded_shingles
from dupgroups_papers.sketches.projections import project, widen

HASH_BITS = 64


@dataclass(frozen=True)
class SimHash(SchemeOfFields):
    """Signs with a 64-bit SimHash (the body, big endian) and its permuted blocks (the keys)."""

    NAME = "simhash"
    judges: ClassVar[tuple[str, ...]] = ("hamming",)

    size: int = 2
    distance: int = 3
    blocks: int = 5
    least: int = 8

    def __post_init__(self) -> None:
        if not 1 <= self.size <= 32:
            raise ConfigError("size must be between 1 and 32 tokens")
        if not 0 <= self.distance < self.blocks <= HASH_BITS:
            raise ConfigError(
                f"distance must be at least 0, and blocks above distance and at most {HASH_BITS}"
            )
        if math.comb(self.blocks, self.distance) > MOST_KEYS:
            raise ConfigError(
                f"{self.blocks} blocks at distance {self.distance} make more than {MOST_KEYS} keys: "
                "lower blocks or distance"
            )
        if self.least < 1:
            raise ConfigError("least must be at least 1")

    @cached_property
    def _masks(self) -> Hashes:
        return block_masks(self.blocks, self.distance)

    def __call__(self, content: Content) -> Signature:
        """Sign the text. Fewer than `least` distinct features give an empty signature."""
        hashes = bounded_shingles(tokens(content.text), self.size)[0]
        if len(distinct(hashes)) < self.least:
            return Signature(self.scheme)
        body = project(widen(hashes, HASH_BITS // 64))
        return Signature(self.scheme, block_keys(int.from_bytes(body, "big"), self._masks), body)


def block_masks(blocks: int, distance: int) -> Hashes:
    """One mask of 64 bits for each choice of `blocks - distance` blocks, shape (C(blocks, distance),).

    >>> [hex(mask) for mask in block_masks(2, 1).tolist()]
    ['0xffffffff', '0xffffffff00000000']
    """
    edges = [HASH_BITS * number // blocks for number in range(blocks + 1)]
    masks_of_blocks = [(1 << end) - (1 << start) for start, end in pairwise(edges)]
    chosen = combinations(masks_of_blocks, blocks - distance)
    return np.array([sum(masks) for masks in chosen], np.uint64)


def block_keys(value: int, masks: Hashes) -> tuple[str, ...]:
    """The value under each mask, as keys; the number of the mask is part of its key."""
    places = np.arange(1, len(masks) + 1, dtype=np.uint64)
    return key_strings(mix(mix(np.uint64(value) & masks) + places))
