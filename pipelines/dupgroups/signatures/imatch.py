"""I-Match: one fingerprint of the words that are neither frequent nor rare, and several of random lexicons.

Chowdhury, Frieder, Grossman, McCabe: Collection Statistics for Fast Duplicate Document Detection (TOIS 2002):
of the distinct words of a text those are kept whose inverse document frequency lies in a window; texts that
keep the same words are duplicates. Kolcz, Chowdhury, Alspector: Improved Robustness of Signature-Based
Near-Replica Detection via Lexicon Randomization (KDD 2004): the same again with lexicons from which a random
part of the words is dropped; one fingerprint in common is enough.

The inverse document frequency is normalised: 0 for a word in all documents, 1 for a word in none. The window
decides: measured on news, a narrow one in the middle finds twice as many copies as one from 0.25 to 0.75.

| field       | default | meaning |
|-------------|---------|---|
| low         | 0.4     | lower end of the window: more frequent words are left out |
| high        | 0.6     | upper end of the window: rarer words, and all unknown ones, are left out |
| lexicons    | 10      | random lexicons beside the whole one (Kolcz et al.: 10) |
| dropped     | 0.33    | share of the words that each of them lacks (Kolcz et al.: 0.33) |
| least       | 6       | kept words below which a text is too short to say anything |
| frequencies | none    | document frequencies of words, or their file; else those of `news_words` |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dupgroups.corpus.frequencies import Frequencies, news_words, terms
from dupgroups.errors import ConfigError
from dupgroups.model import Content, Signature
from dupgroups.signatures.base import MOST_KEYS, SchemeOfFields
from dupgroups.sketches.hashing import Hashes, mix
from dupgroups.sketches.keys import key_strings
from dupgroups.sketches.sets import distinct


@dataclass(frozen=True)
class IMatch(SchemeOfFields):
    """Signs with fingerprints of a window of words; the table above explains the fields."""

    NAME = "imatch"
    judges: ClassVar[tuple[str, ...]] = ("fingerprints",)

    low: float = 0.4
    high: float = 0.6
    lexicons: int = 10
    dropped: float = 0.33
    least: int = 6
    frequencies: Frequencies | str | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.low < self.high <= 1:
            raise ConfigError("low is at least 0, high above low and at most 1")
        if not 0 <= self.lexicons < MOST_KEYS:  # the whole lexicon makes a key, too
            raise ConfigError(f"lexicons is between 0 and {MOST_KEYS - 1}")
        if not 0 < self.dropped < 1:
            raise ConfigError("dropped is a share, above 0 and below 1")
        if self.least < 1:
            raise ConfigError("least is at least 1")
        if self.frequencies is not None:
            object.__setattr__(self, "frequencies", Frequencies.open(self.frequencies))

    def __call__(self, content: Content) -> Signature:
        """Sign the text. Fewer than `least` words inside the window give an empty signature."""
        kept = self._in_window(distinct(terms(content.text)))
        if len(kept) < self.least:
            return Signature(self.scheme)
        prints = self._fingerprints(kept)
        return Signature(self.scheme, key_strings(prints[prints != 0]), prints.astype(">u8").tobytes())

    def _in_window(self, words: Hashes) -> Hashes:
        known = self.frequencies if isinstance(self.frequencies, Frequencies) else news_words()
        rarity = known.rarity(words)
        return words[(rarity >= self.low) & (rarity <= self.high)]

    def _fingerprints(self, words: Hashes) -> Hashes:
        """One for the whole lexicon and for each random one; 0 where too few words are left."""
        left = np.vstack([np.ones(len(words), np.bool_), *self._random_lexicons(words)])
        places = np.arange(1, len(left) + 1, dtype=np.uint64)
        prints = mix((mix(words) * left).sum(axis=1, dtype=np.uint64) + mix(places))
        prints[left.sum(axis=1) < self.least] = 0
        return prints

    def _random_lexicons(self, words: Hashes) -> NDArray[np.bool_]:
        """Which words each random lexicon holds, shape (lexicons, words): drawn by hash, so fixed."""
        seeds = mix(np.arange(101, 101 + self.lexicons, dtype=np.uint64))[:, None]
        found: NDArray[np.bool_] = mix(words ^ seeds) >= np.uint64(int(self.dropped * 2**64))
        return found
