"""MinHash over shingles of the running text: keys for look-up, sketches for comparison.

Broder, Glassman, Manasse, Zweig: Syntactic Clustering of the Web (1997): the resemblance of two texts is the
share of shingles they have in common, and equals the chance that the smallest hash of both sets is the same.
Gibson, Wellner, Lubar: Identification of Duplicate News Stories in Web Pages (CEDAR), section 2.2.

Two choices are ours, measured in docs/signatures.md. Shingles are taken from anchored sentences only (see
`dupgroups.text.sentences`), which leaves out what extraction lets through of menus and links. Numerals are
kept with the words around them (see `dupgroups.text.numerals`), because the daily reports of one series
differ in little else.

| field      | default | meaning |
|------------|---------|---|
| size       | 3       | tokens of a shingle that is compared; 4 for Chinese, a token being a character |
| key_size   | 6       | tokens of a shingle that is looked up: long, so that a shared one means shared text |
| similarity | 0.15    | resemblance of the long shingles at which a pair must be found |
| recall     | 0.99    | chance that it is found |
| sketch     | "bitmap" | kept of the words: a bitmap, or minima ("one_permutation", "k_permutation") |
| bits       | 1512    | of the sketch: more make the estimates better |
| figures    | 48      | numerals kept, three bytes each |
| least      | 20      | distinct shingles below which a text is too short: a notice is no story |
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dupgroups.codecs.sketch_codec import KINDS, Kind, pack
from dupgroups.errors import ConfigError
from dupgroups.model import Content, Signature
from dupgroups.signatures.base import SchemeOfFields, keys_needed
from dupgroups.sketches.b_bit_minwise import bounded_minima
from dupgroups.sketches.bitmaps import MULTIPLE
from dupgroups.sketches.hashing import Hashes
from dupgroups.sketches.keys import key_strings
from dupgroups.text.numerals import bounded_numerals
from dupgroups.text.sentences import tokens
from dupgroups.text.shingles import bounded_shingles, running

KEY_LENGTH = 5  # characters of 6 bits: a million documents bring less than one candidate by chance
AT_ONCE = 1 << 16  # characters signed together: what is worked on stays in the processor's cache


@dataclass(frozen=True)
class MinHash(SchemeOfFields):
    """Signs with MinHash keys, a sketch of the words and the numerals; the fields are those of the table."""

    NAME = "minhash"
    VERSION = 2

    judges: ClassVar[tuple[str, ...]] = ("resemblance",)

    size: int = 3
    key_size: int = 6
    similarity: float = 0.15
    recall: float = 0.99
    sketch: Kind = "bitmap"
    bits: int = 1512
    figures: int = 48
    least: int = 20

    def __post_init__(self) -> None:
        if not 1 <= self.size <= 32 or not 1 <= self.key_size <= 32:
            raise ConfigError("size and key_size are between 1 and 32 tokens")
        if not 0 < self.similarity < 1 or not 0 < self.recall < 1:
            raise ConfigError("similarity and recall are between 0 and 1")
        if self.sketch not in KINDS:
            raise ConfigError(f"sketch is one of {', '.join(KINDS)}, not {self.sketch!r}")
        if self.bits % MULTIPLE or not MULTIPLE <= self.bits <= 2040:
            raise ConfigError(f"bits is a multiple of {MULTIPLE} between {MULTIPLE} and 2040")
        if not 0 <= self.figures <= 255:
            raise ConfigError("figures is between 0 and 255")
        if self.least < 1:
            raise ConfigError("least is at least 1")
        keys_needed(self.similarity, self.recall)  # raises ConfigError for too many

    @cached_property
    def keys(self) -> int:
        """Keys of a document."""
        return keys_needed(self.similarity, self.recall)

    def __call__(self, content: Content) -> Signature:
        """Sign the text. Fewer than `least` distinct shingles give an empty signature."""
        return self._signed([content.text])[0]

    def many(self, contents: Sequence[Content]) -> list[Signature]:
        """The signatures of several texts: the same as one by one, but faster."""
        return [each for batch in _batches(contents) for each in self._signed(batch)]

    def _signed(self, texts: Sequence[str]) -> list[Signature]:
        found = running(tokens(*texts))
        short = bounded_shingles(found, self.size)
        sizes, words = pack(self.sketch, *short, self.bits)
        long = _filled(bounded_shingles(found, self.key_size), short)
        parts = zip(sizes, self._keys(*long), words, bounded_numerals(found, self.figures), strict=True)
        return [
            Signature(self.scheme, keys, own + numbers) if size >= self.least else Signature(self.scheme)
            for size, keys, own, numbers in parts
        ]

    def _keys(self, hashes: Hashes, bounds: NDArray[np.intp]) -> list[tuple[str, ...]]:
        _, places, lowest = bounded_minima(hashes, bounds, self.keys)
        keys = key_strings(lowest, KEY_LENGTH)
        ends = places.searchsorted(np.arange(0, self.keys * len(bounds), self.keys)).tolist()
        return [keys[start:end] for start, end in pairwise(ends)]


def _batches(contents: Iterable[Content]) -> Iterator[list[str]]:
    """The texts in batches that stay in the cache of a processor."""
    batch: list[str] = []
    size = 0
    for content in contents:
        if batch and size + len(content.text) > AT_ONCE:
            yield batch
            batch, size = [], 0
        batch.append(content.text)
        size += len(content.text)
    if batch:
        yield batch


def _filled(
    long: tuple[Hashes, NDArray[np.intp]], short: tuple[Hashes, NDArray[np.intp]]
) -> tuple[Hashes, NDArray[np.intp]]:
    """The long shingles of each text; the short ones of a text whose sentences are too short for any."""
    if (long[1][1:] > long[1][:-1]).all():
        return long
    parts = [mine if len(mine) else other for mine, other in zip(_parts(*long), _parts(*short), strict=True)]
    return np.concatenate(parts), np.cumsum([0, *map(len, parts)])


def _parts(hashes: Hashes, bounds: NDArray[np.intp]) -> list[Hashes]:
    return [hashes[start:end] for start, end in pairwise(bounds.tolist())]
