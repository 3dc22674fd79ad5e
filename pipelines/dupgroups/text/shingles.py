"""Shingles: the runs of `size` tokens of a text, as hashes (Broder et al. 1997; CEDAR, section 2.2)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dupgroups.text.hashing import Hashes, windows
from dupgroups.text.sentences import Tokens

RUNNING = 0.2  # share of anchored tokens below which a text counts as a whole


def running(tokens: Tokens, least: float = RUNNING) -> Tokens:
    """The tokens of anchored sentences, or all tokens of a text when these are less than a share `least`.

    Otherwise lists, poems and texts without full stops would have no features at all.
    """
    return tokens[is_running(tokens, least)]


def is_running(tokens: Tokens, least: float = RUNNING) -> NDArray[np.bool_]:
    """Which tokens these are."""
    anchored = tokens.anchored.nonzero()[0].searchsorted(tokens.bounds)
    counts, lengths = anchored[1:] - anchored[:-1], tokens.bounds[1:] - tokens.bounds[:-1]
    whole = counts < least * lengths
    return tokens.anchored | whole.repeat(lengths)


def bounded_shingles(tokens: Tokens, size: int) -> tuple[Hashes, NDArray[np.intp]]:
    """The shingles of several texts, and bounds: those of text i are from bounds[i] to bounds[i + 1]."""
    count = max(0, len(tokens) - size + 1)
    within = tokens.sentence[:count] == tokens.sentence[size - 1 : size - 1 + count]
    places = within.nonzero()[0]
    return windows(tokens.hashes, size).take(places), places.searchsorted(tokens.bounds)
