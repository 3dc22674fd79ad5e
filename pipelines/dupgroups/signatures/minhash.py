"""MinHash over shingles of the running text: keys for look-up, sketches for comparison.

Broder, Glassman, Manasse, Zweig: Syntactic Clustering of the Web (1997): the resemblance of two texts is the
share of shingles they have in common, and equals the chance that the smallest hash of both sets is the same.
Gibson, Wellner, Lubar: Identification of Duplicate News Stories in Web Pages (CEDAR), section 2.2.

Two choices are ours, measured in docs/signatures.md. Shingles are taken from anchored sentences only (see
`dupgroups.text.sentences`), which leaves out what extraction lets through of menus and links. Figures are
kept with the words around them (see `dupgroups.text.figures`), because the daily reports of one series differ
in little else.

| field      | default | meaning |
|------------|---------|---|
| size       | 3       | tokens of a shingle that is compared; 4 for Chinese, a token being a character |
| key_size   | 6       | tokens of a shingle that is looked up: long, so that a shared one means shared text |
| similarity | 0.15    | resemblance of the long shingles at which a pair must be found |
| recall     | 0.99    | chance that it is found |
| bins       | 384     | minima kept to compare words; error 0.5 / sqrt(0.8 bins) at most |
| figures    | 64      | figures kept, three bytes each |
| least      | 20      | distinct shingles below which a text is too short: a notice is no story |
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from functools import cached_property

from dupgroups.errors import ConfigError
from dupgroups.model import Content, Signature
from dupgroups.signatures.base import scheme
from dupgroups.text.figures import figures
from dupgroups.text.keys import key_strings
from dupgroups.text.sentences import tokens
from dupgroups.text.shingles import running, shingles
from dupgroups.text.sketches import minima, sketch

MOST_KEYS = 30


@dataclass(frozen=True)
class MinHash:
    """Signs with MinHash keys and a two-part sketch; the table above explains the fields."""

    size: int = 3
    key_size: int = 6
    similarity: float = 0.15
    recall: float = 0.99
    bins: int = 384
    figures: int = 64
    least: int = 20

    def __post_init__(self) -> None:
        if not 1 <= self.size <= 32 or not 1 <= self.key_size <= 32:
            raise ConfigError("size and key_size are between 1 and 32 tokens")
        if not 0 < self.similarity < 1 or not 0 < self.recall < 1:
            raise ConfigError("similarity and recall are between 0 and 1")
        if self.bins % 8 or not 8 <= self.bins <= 2040:
            raise ConfigError("bins is a multiple of 8 between 8 and 2040")
        if not 0 <= self.figures <= 255:
            raise ConfigError("figures is between 0 and 255")
        if self.least < 1:
            raise ConfigError("least is at least 1")
        if self.keys > MOST_KEYS:
            raise ConfigError(
                f"{self.keys} keys would be needed to find pairs of similarity {self.similarity} with recall "
                f"{self.recall}, more than {MOST_KEYS}: raise the similarity or lower the recall"
            )

    @cached_property
    def scheme(self) -> str:
        """Name, version and unusual parameters."""
        return scheme("minhash", 1, self)

    @cached_property
    def keys(self) -> int:
        """Keys of a document: a pair shares none of n with chance (1 - similarity)^n."""
        return math.ceil(math.log(1 - self.recall) / math.log(1 - self.similarity))

    def __call__(self, content: Content) -> Signature:
        """Sign the text. Fewer than `least` distinct shingles give an empty signature."""
        found = running(tokens(content.text))
        words = sketch(shingles(found, self.size), self.bins)
        if words.size < self.least:
            return Signature(self.scheme)
        head = struct.pack("<BH", self.bins // 8, words.size)
        long = shingles(found, self.key_size)
        keys = key_strings(minima(long if len(long) else shingles(found, self.size), self.keys)[2])
        return Signature(self.scheme, keys, head + words.pack() + figures(found, self.figures))
