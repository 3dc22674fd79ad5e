"""SimHash: 64 bits that differ in few places for texts that share most of their features.

Charikar: Similarity Estimation Techniques from Rounding Algorithms (STOC 2002). Manku, Jain, Das Sarma:
Detecting Near-Duplicates for Web Crawling (WWW 2007): 64 bits, near duplicates differ in at most 3 of them,
and are found by tables of permuted blocks: of `blocks` blocks, the differing bits spoil at most `distance`,
so two such values agree in full on some choice of the others. Each choice is a key.

More blocks than distance + 1 make more and longer keys: 4 blocks at distance 3 give 4 keys of 16 bits, which
15 of a million documents share by chance; 5 blocks give 10 keys of 25 bits, 6 blocks 20 of 32.

Three bits are few for news: a cut paragraph turns more. `distance = 6` with 8 blocks (28 keys), and a judge
that allows as much, finds nearly twice as many copies, among two to fifteen times as many candidates.

With `features = "slides"` the value is, bit for bit, that of the package `simhash` on PyPI: md5 of each four
characters in a row of what is left of the lower-case text without blanks and punctuation. "words" are single
words, weighted by how often they stand in the text and by their inverse document frequency, as in the paper.
The default takes shingles of tokens, a token of a script without blanks being one character; it tells stories
of one subject apart better than words do, and is ten times as fast as the slides.

| field       | default    | meaning |
|-------------|------------|---|
| features    | "shingles" | of tokens; "words" with weights; "slides" of four characters |
| size        | 2          | tokens of a shingle |
| distance    | 3          | bits in which two values may differ and still be found for certain (paper: 3) |
| blocks      | 5          | blocks that the 64 bits are cut into |
| least       | 8          | distinct features below which a text is too short to say anything |
| frequencies | none       | for words: document frequencies, or their file; else those of `news_words` |
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import md5
from itertools import combinations, pairwise
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from dupgroups.corpus.frequencies import Frequencies, news_words, terms
from dupgroups.errors import ConfigError
from dupgroups.model import Content, Signature
from dupgroups.signatures.base import MOST_KEYS, SchemeOfFields
from dupgroups.sketches.hashing import Hashes, mix
from dupgroups.sketches.keys import key_strings
from dupgroups.sketches.projections import project, widen
from dupgroups.sketches.sets import distinct
from dupgroups.text.sentences import tokens
from dupgroups.text.shingles import shingles

BITS = 64
_SLIDE = 4
_is_kept = re.compile(r"\w+").findall  # the package names Han characters, too, which are among these


@dataclass(frozen=True)
class SimHash(SchemeOfFields):
    """Signs with a 64-bit SimHash (the body, big endian) and its permuted blocks (the keys)."""

    NAME = "simhash"
    judges: ClassVar[tuple[str, ...]] = ("hamming",)

    features: Literal["shingles", "words", "slides"] = "shingles"
    size: int = 2
    distance: int = 3
    blocks: int = 5
    least: int = 8
    frequencies: Frequencies | str | None = None

    def __post_init__(self) -> None:
        if self.features not in ("shingles", "words", "slides"):
            raise ConfigError(f"features is shingles, words or slides, not {self.features!r}")
        if not 1 <= self.size <= 32:
            raise ConfigError("size is between 1 and 32 tokens")
        if not 0 <= self.distance < self.blocks <= BITS:
            raise ConfigError(f"distance is at least 0, and blocks above distance and at most {BITS}")
        if math.comb(self.blocks, self.distance) > MOST_KEYS:
            raise ConfigError(
                f"{self.blocks} blocks at distance {self.distance} make more than {MOST_KEYS} keys: lower one"
            )
        if self.least < 1:
            raise ConfigError("least is at least 1")
        if self.frequencies is not None:
            object.__setattr__(self, "frequencies", Frequencies.open(self.frequencies))

    @cached_property
    def _masks(self) -> Hashes:
        return block_masks(self.blocks, self.distance)

    def __call__(self, content: Content) -> Signature:
        """Sign the text. Fewer than `least` distinct features give an empty signature."""
        value = self._value(content.text)
        if value is None:
            return Signature(self.scheme)
        return Signature(self.scheme, block_keys(value, self._masks), value.to_bytes(BITS // 8, "big"))

    def _value(self, text: str) -> int | None:
        if self.features == "slides":
            found = slides(text)
            return simhash(found) if len(found) >= self.least else None
        hashes, weights = self._words(text) if self.features == "words" else self._shingles(text)
        if len(distinct(hashes)) < self.least:
            return None
        return int.from_bytes(project(widen(hashes, BITS // 64), weights), "big")

    def _shingles(self, text: str) -> tuple[Hashes, None]:
        return shingles(tokens(text), self.size), None

    def _words(self, text: str) -> tuple[Hashes, NDArray[np.float64]]:
        """The words that have a weight, repeated ones repeated, and their weights."""
        known = self.frequencies if isinstance(self.frequencies, Frequencies) else news_words()
        words = terms(text)
        weights = known.idf(words)
        return words[weights > 0], weights[weights > 0]


def simhash(features: Mapping[str, float] | Iterable[str]) -> int:
    """The 64-bit SimHash of weighted features, or of features of weight 1 each, hashed by md5; 0 for none.

    >>> hex(simhash({"aaa": 1, "bbb": 1}))
    '0xcad12a04a8e008'
    """
    weights = features if isinstance(features, Mapping) else Counter(features)
    digests = b"".join(_md5(feature) for feature in weights)
    return int.from_bytes(
        project(
            np.frombuffer(digests, np.uint8).reshape(-1, BITS // 8),
            np.fromiter(weights.values(), np.float64, len(weights)),
        ),
        "big",
    )


def slides(text: str) -> Counter[str]:
    """The runs of four characters of a text without blanks and punctuation, with their counts.

    A text of fewer than four such characters is its own only run, even "".

    >>> dict(slides("A to Z, to A"))
    {'atoz': 1, 'tozt': 1, 'ozto': 1, 'ztoa': 1}
    """
    joined = "".join(_is_kept(text.lower()))
    return Counter(joined[at : at + _SLIDE] for at in range(max(1, len(joined) - _SLIDE + 1)))


def block_masks(blocks: int, distance: int) -> Hashes:
    """One mask of 64 bits for each choice of `blocks - distance` blocks, shape (C(blocks, distance),).

    >>> [hex(each) for each in block_masks(2, 1).tolist()]
    ['0xffffffff', '0xffffffff00000000']
    """
    edges = [BITS * each // blocks for each in range(blocks + 1)]
    each_block = [(1 << end) - (1 << start) for start, end in pairwise(edges)]
    chosen = combinations(each_block, blocks - distance)
    return np.array([sum(each) for each in chosen], np.uint64)


def block_keys(value: int, masks: Hashes) -> tuple[str, ...]:
    """What a value looks like under each mask, as keys; the number of the mask is part of its key."""
    places = np.arange(1, len(masks) + 1, dtype=np.uint64)
    return key_strings(mix(mix(np.uint64(value) & masks) + places))


def _md5(feature: str) -> bytes:
    return md5(feature.encode("utf-8", "surrogatepass"), usedforsecurity=False).digest()[-BITS // 8 :]
