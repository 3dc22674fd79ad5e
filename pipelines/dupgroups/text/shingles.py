"""Shingles: the runs of `size` tokens of a text, as hashes (Broder et al. 1997; CEDAR, section 2.2)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dupgroups.text.hashing import Hashes, windows
from dupgroups.text.sentences import Tokens


def running(tokens: Tokens, least: float = 0.2) -> Tokens:
    """The tokens of anchored sentences; all of them where these are less than a share `least` of the text.

    Lists, poems and texts without full stops would otherwise have no features at all.
    """
    if tokens.anchored.sum() < least * len(tokens):
        return tokens
    return tokens[tokens.anchored]


def shingles(tokens: Tokens, size: int) -> Hashes:
    """Hashes of the shingles that stand within one sentence, in order, repeated ones repeated."""
    return windows(tokens.hashes, size)[_within(tokens.sentence, size)]


def _within(sentence: NDArray[np.intp], size: int) -> NDArray[np.bool_]:
    count = max(0, len(sentence) - size + 1)
    within: NDArray[np.bool_] = sentence[:count] == sentence[size - 1 : size - 1 + count]
    return within
