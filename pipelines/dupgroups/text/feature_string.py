"""The feature string of a Chinese text: the character before each full stop.

An, Cheng: The Chinese Duplicate Web Pages Detection Algorithm based on Edit Distance, section IV.B. A
full stop after anything but a Chinese character (a quotation mark, a letter, a digit, kana) gives nothing.
Traditional characters are folded to simplified ones.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dupgroups.text.hashing import Hashes
from dupgroups.text.scripts import HAN, HAN_COMPATIBILITY
from dupgroups.text.sentences import SINGLE, characters

_PERIOD = ord("。")


def feature_string(text: str) -> str:
    """The Chinese characters right before full stops, in simplified form; "" when there are none.

    >>> feature_string("直升機失事。据报道，共3人。OK。他走了！”。完。")
    '事人完'
    """
    return "".join(map(chr, feature_codes(text).tolist()))


def feature_codes(text: str) -> Hashes:
    """The same as code points, shape (n,)."""
    codes, kinds = characters(text)
    before: NDArray[np.bool_] = (codes[1:] == _PERIOD) & _is_chinese(codes[:-1], kinds[:-1])
    return codes[:-1][before]


def _is_chinese(codes: Hashes, kinds: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which are Chinese characters of the basic plane: the body has two bytes for each. The scripts of Japan,
    Thailand, Laos, Cambodia and Burma that have no blanks, either, are of the same kind."""
    single = (kinds & SINGLE) != 0
    inside = [(codes >= first) & (codes <= last) for first, last in (HAN, HAN_COMPATIBILITY)]
    return np.asarray(single & np.logical_or.reduce(inside))
