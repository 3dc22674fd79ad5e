"""The feature string of Chinese pages: the character before each full stop.

An, Cheng: The Chinese Duplicate Web Pages Detection Algorithm based on Edit Distance, section IV.B. A
full stop after anything but a Chinese character (a quotation mark, a letter, a digit, kana) gives nothing.

The body is the string, two bytes per character. An index cannot look up an edit distance, so the keys are our
addition: hashes of three characters out of four in a row, always including the first. When one character
changes, is missing or is added, some of the hashes around it stay the same. The smallest hashes are taken
(MinHash). On Chinese reprints they find 999 of 1,000 pairs that the overlap factors accept, with 2 to 6
candidates per look-up; plain runs of three characters miss up to 4 % of the pairs, and runs of two bring 12
candidates. Traditional characters are folded to simplified ones.

| field  | default | meaning |
|--------|---------|---|
| keys   | 30      | number of keys of a document |
| least  | 4       | characters that a string needs: a shorter one is not compared (the paper: 1) |
| longest| 500     | characters that are kept: a text with more sentences is not a news story |
| otherwise | ""   | marks that count if fewer full stops than `least` do, such as "，；！？" |

The character before each full stop, folded to simplified; a quotation mark or a letter gives none:

>>> "".join(map(chr, feature_codes("直升機失事。据报道，共3人。OK。他走了！”。完。").tolist()))
'事人完'
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dupgroups.errors import ConfigError
from dupgroups.methods.signatures.base import MOST_KEYS, SchemeOfFields
from dupgroups.methods.sketches.keys import bounded_minima, key_strings
from dupgroups.model import Content, Signature
from dupgroups.text.hashing import Codes, Hashes, windows
from dupgroups.text.scripts import HAN, HAN_COMPATIBILITY
from dupgroups.text.sentences import SINGLE, characters

_ZERO = ord("〇")  # a Chinese digit outside of the blocks of Chinese characters
_CHOSEN_PLACES = ([0, 1, 2], [0, 1, 3], [0, 2, 3])


@dataclass(frozen=True)
class PeriodString(SchemeOfFields):
    """Signs with the feature string; the table above explains the fields."""

    NAME = "period_string"
    VERSION = 2
    judges: ClassVar[tuple[str, ...]] = ("overlap_factors",)

    keys: int = 30
    least: int = 4
    longest: int = 500
    otherwise: str = ""

    def __post_init__(self) -> None:
        if self.least < 1:
            raise ConfigError("least must be at least 1")
        if not 1 <= self.keys <= MOST_KEYS:
            raise ConfigError(f"keys must be between 1 and {MOST_KEYS}")
        if self.longest < self.least:
            raise ConfigError("longest must be at least as large as least")

    def __call__(self, content: Content) -> Signature:
        """Sign the text. Fewer than `least` feature characters give an empty signature."""
        feature = self.feature(content.text)
        if not len(feature):
            return Signature(self.scheme)
        grams = _hash_gapped(feature)
        keys = key_strings(bounded_minima(grams, np.array([0, len(grams)]), self.keys)[0])
        return Signature(self.scheme, keys, feature.astype("<u2").tobytes())

    def feature(self, text: str) -> Hashes:
        """The code points of the feature string, (n,); empty for one of fewer than `least` characters."""
        feature = feature_codes(text)
        if len(feature) < self.least and self.otherwise:
            feature = feature_codes(text, self.otherwise)
        return feature[: self.longest if len(feature) >= self.least else 0]


def _hash_gapped(feature: Hashes) -> Hashes:
    """Hashes of the characters 1 2 3, 1 2 4 and 1 3 4 of each run of four; of a shorter string as it is."""
    if len(feature) < 4:
        return windows(feature, len(feature))
    runs = np.lib.stride_tricks.sliding_window_view(feature, 4)
    return np.concatenate([windows(runs[:, chosen].ravel(), 3)[::3] for chosen in _CHOSEN_PLACES])


def feature_codes(text: str, marks: str = "。") -> Hashes:
    """The characters right before these marks, as code points, shape (n,)."""
    codes, kinds = characters(text)
    stops = np.isin(codes[1:], characters(marks)[0])
    before: NDArray[np.bool_] = stops & _is_chinese(codes[:-1], kinds[:-1])
    return codes[:-1][before].astype(np.uint64)


def _is_chinese(codes: Codes, kinds: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which are Chinese characters of the basic plane: the body has two bytes for each. The scripts of Japan,
    Thailand, Laos, Cambodia and Burma that have no blanks, either, are of the same kind."""
    single = (kinds & SINGLE) != 0
    inside = [(codes >= first) & (codes <= last) for first, last in (HAN, HAN_COMPATIBILITY)]
    return np.asarray(single & np.logical_or.reduce(inside) | (codes == _ZERO))
