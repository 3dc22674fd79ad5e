"""Shingles: the runs of `size` tokens of a text, as hashes (Broder et al. 1997; CEDAR, section 2.2)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dupgroups.sketches.hashing import Hashes, windows
from dupgroups.text.sentences import Tokens


def running(tokens: Tokens, least: float = 0.2) -> Tokens:
    """The tokens of anchored sentences; all those of a text in which these are less than a share `least`.

    Lists, poems and texts without full stops would otherwise have no features at all.
    """
    anchored = tokens.anchored.nonzero()[0].searchsorted(tokens.bounds)
    counts, lengths = anchored[1:] - anchored[:-1], tokens.bounds[1:] - tokens.bounds[:-1]
    whole = counts < least * lengths
    return tokens[tokens.anchored | whole.repeat(lengths)]


def shingles(tokens: Tokens, size: int) -> Hashes:
    """Hashes of the shingles that stand within one sentence, in order, repeated ones repeated."""
    return bounded_shingles(tokens, size)[0]


def bounded_shingles(tokens: Tokens, size: int) -> tuple[Hashes, NDArray[np.intp]]:
    """The shingles of several texts, and where those of each begin: text i has bounds[i] to bounds[i + 1]."""
    count = max(0, len(tokens) - size + 1)
    within = tokens.sentence[:count] == tokens.sentence[size - 1 : size - 1 + count]
    at = within.nonzero()[0]
    return windows(tokens.hashes, size).take(at), at.searchsorted(tokens.bounds)
