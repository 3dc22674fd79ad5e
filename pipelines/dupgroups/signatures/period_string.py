"""The feature string of Chinese pages: the character before each full stop.

An, Cheng: The Chinese Duplicate Web Pages Detection Algorithm based on Edit Distance, section IV.B. "It only
extracts a Chinese character before the period. If there is not a Chinese character before the period, such as
other punctuations, English character or digit, it will not be extracted."

The string is the body, two bytes a character. An edit distance cannot be looked up, so the keys, which are
ours, are the smallest hashes of the q-grams of the string: of strings in which 80 % of the characters agree
about half of the 3-grams do. Traditional characters are folded to simplified ones.

| field  | default | meaning |
|--------|---------|---|
| gram   | 3       | characters of a q-gram |
| keys   | 28      | q-grams kept |
| least  | 4       | characters below which a string says nothing |
| longest| 500     | characters that are kept: more than that many sentences are no news story |
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dupgroups.errors import ConfigError
from dupgroups.model import Content, Signature
from dupgroups.signatures.base import scheme
from dupgroups.text.hashing import Hashes, windows
from dupgroups.text.keys import key_strings
from dupgroups.text.sentences import SINGLE, characters
from dupgroups.text.sketches import minima

_PERIOD = ord("。")


@dataclass(frozen=True)
class PeriodString:
    """Signs with the feature string; the table above explains the fields."""

    gram: int = 3
    keys: int = 28
    least: int = 4
    longest: int = 500

    def __post_init__(self) -> None:
        if not 1 <= self.gram <= self.least:
            raise ConfigError("gram is between 1 and least: shorter strings would have no key")
        if not 1 <= self.keys <= 30:
            raise ConfigError("keys is between 1 and 30")
        if self.longest < self.least:
            raise ConfigError("longest is at least as large as least")

    @property
    def scheme(self) -> str:
        """Name, version and unusual parameters."""
        return self._scheme

    @cached_property
    def _scheme(self) -> str:
        return scheme("period_string", 1, self)

    def __call__(self, content: Content) -> Signature:
        """Sign the text. Fewer than `least` feature characters give an empty signature."""
        feature = _feature(content.text)[: self.longest]
        if len(feature) < self.least:
            return Signature(self.scheme)
        keys = key_strings(minima(windows(feature, self.gram), self.keys)[2])
        return Signature(self.scheme, keys, feature.astype("<u2").tobytes())


def feature_string(text: str) -> str:
    """The Chinese characters right before full stops, in simplified form; "" when there is none.

    >>> feature_string("直升機失事。据报道，共3人。OK。他走了！”。完。")
    '事人完'
    """
    return "".join(map(chr, _feature(text).tolist()))


def _feature(text: str) -> Hashes:
    codes, kinds = characters(text)
    before: NDArray[np.bool_] = (codes[1:] == _PERIOD) & ((kinds[:-1] & SINGLE) != 0) & (codes[:-1] < 0x10000)
    return codes[:-1][before]
