"""Shingling: a text as the set of its runs of words, and samples of that set.

Broder, Glassman, Manasse, Zweig: Syntactic Clustering of the Web (1997). Gibson, Wellner, Lubar:
Identification of Duplicate News Stories in Web Pages (CEDAR), sections 2.2, 2.5 and 5.2. The body is the set,
or its sketch; the keys are supershingles.

- `sketch = "modulo"` keeps the shingles that `modulus` divides (1: all of them, exact, four bytes each); the
  supershingles are runs of what is kept, in the order of the hashes.
- `sketch = "minima"` keeps the smallest shingle under each of `minima` hash functions; the supershingles are
  disjoint runs of these.

A token of a script without blanks is one character, so that such texts want longer shingles, as 4.

| field            | default  | meaning |
|------------------|----------|---|
| size             | 2        | tokens of a shingle (CEDAR, figure 5) |
| sketch           | "modulo" | what is kept: "modulo" or "minima" |
| modulus          | 8        | one of so many shingles is kept (Broder et al.: 25, too few for short news) |
| minima           | 84       | hash functions (Fetterly et al.: 84) |
| supershingle     | 2        | kept values in a supershingle: more make stricter keys (Fetterly et al.: 14) |
| block_min_tokens | 0        | paragraphs of fewer tokens are left out (CEDAR, figure 3: 10 on raw pages) |
| least            | 8        | kept shingles below which a text is too short to say anything |
| frequencies      | none     | document frequencies of shingles, or the file that holds them |
| most_documents   | 1000     | with them: shingles in so many documents are dropped (Broder et al.: 1000) |
| top              | 0        | with them: share of the shingles dropped as too frequent (CEDAR, figure 4) |
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np

from dupgroups.codecs.set_codec import pack_minima, pack_sample
from dupgroups.corpus.frequencies import Frequencies
from dupgroups.errors import ConfigError
from dupgroups.model import Content, Signature
from dupgroups.signatures.base import MOST_KEYS, SchemeOfFields
from dupgroups.sketches.hashing import Hashes, windows
from dupgroups.sketches.keys import key_strings
from dupgroups.sketches.min_values import min_values, numbered_supershingles, supershingles
from dupgroups.sketches.sets import distinct
from dupgroups.text.sentences import Tokens, tokens


@dataclass(frozen=True)
class Shingling(SchemeOfFields):
    """Signs with a set of shingles, sketched; the table above explains the fields."""

    NAME = "shingling"
    judges: ClassVar[tuple[str, ...]] = ("jaccard",)

    size: int = 2
    sketch: Literal["modulo", "minima"] = "modulo"
    modulus: int = 8
    minima: int = 84
    supershingle: int = 2
    block_min_tokens: int = 0
    least: int = 8
    frequencies: Frequencies | str | None = None
    most_documents: int = 1000
    top: float = 0.0

    def __post_init__(self) -> None:
        if not 1 <= self.size <= 32:
            raise ConfigError("size is between 1 and 32 tokens")
        if self.sketch not in ("modulo", "minima"):
            raise ConfigError(f"sketch is modulo or minima, not {self.sketch!r}")
        if self.modulus < 1 or self.supershingle < 1 or self.least < 1:
            raise ConfigError("modulus, supershingle and least are at least 1")
        if not self.supershingle <= self.minima <= 1000:
            raise ConfigError("minima is at least supershingle and at most 1000")
        if self.block_min_tokens < 0 or self.most_documents < 1 or not 0 <= self.top < 1:
            raise ConfigError("block_min_tokens is at least 0, most_documents 1; top is from 0 to below 1")
        if self.frequencies is not None:
            object.__setattr__(self, "frequencies", Frequencies.open(self.frequencies))

    def __call__(self, content: Content) -> Signature:
        """Sign the text. Fewer than `least` distinct shingles to keep give an empty signature."""
        found = self._frequent_dropped(distinct(self.features(content)))
        if self.sketch == "modulo":
            found = found[found % np.uint64(self.modulus) == 0]
        if len(found) < max(self.least, self.supershingle):
            return Signature(self.scheme)
        if self.sketch == "modulo":
            keys = np.sort(supershingles(found, self.supershingle))
            return Signature(self.scheme, key_strings(keys[:MOST_KEYS]), pack_sample(found))
        values = min_values(found, self.minima)
        keys = numbered_supershingles(values, self.supershingle)
        return Signature(self.scheme, key_strings(keys[:MOST_KEYS]), pack_minima(values, len(found)))

    def features(self, content: Content) -> Hashes:
        """The shingles of a text in order, repeated ones repeated: what `frequencies` are learned from."""
        return windows(self._tokens(content.text).hashes, self.size)

    def _tokens(self, text: str) -> Tokens:
        if not self.block_min_tokens:
            return tokens(text)
        blocks = (each for each in text.split("\n") if len(tokens(each)) >= self.block_min_tokens)
        return tokens("\n".join(blocks))

    def _frequent_dropped(self, hashes: Hashes) -> Hashes:
        if not isinstance(self.frequencies, Frequencies):
            return hashes
        return hashes[self.frequencies.of(hashes) < self._limit]

    @cached_property
    def _limit(self) -> int:
        """The document frequency from which shingles are dropped."""
        assert isinstance(self.frequencies, Frequencies)
        return min(self.most_documents, self.frequencies.top(self.top)) if self.top else self.most_documents
