"""Shingles: the runs of `size` tokens of a text, as hashes (Broder et al. 1997; CEDAR, section 2.2)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dupgroups.text.hashing import Hashes, windows
from dupgroups.text.sentences import Tokens, characters, token_spans

MIN_RUNNING_SHARE = 0.2  # share of anchored tokens below which a text counts as a whole
SHORT_TOKENS = 100  # a text with fewer is short
MAX_SHORT_CHARS = 1_200  # a longer text is not short, whatever its words


def running(tokens: Tokens, least: float = MIN_RUNNING_SHARE, short: int = 0) -> Tokens:
    """The tokens of anchored sentences: without the menus and links that an extractor missed.

    All tokens of a text with fewer than `short`, or of which less than a share `least` is anchored: lists,
    tables, poems and advertisements have few full stops, or none, and what they say stands outside of
    sentences.
    """
    anchored = tokens.anchored.nonzero()[0].searchsorted(tokens.bounds)
    counts, lengths = anchored[1:] - anchored[:-1], tokens.bounds[1:] - tokens.bounds[:-1]
    whole = (counts < least * lengths) | (lengths < short)
    return tokens[tokens.anchored | whole.repeat(lengths)]


def is_short(text: str) -> bool:
    """Whether a text has fewer than SHORT_TOKENS tokens, so that its title is read with it."""
    if len(text) > MAX_SHORT_CHARS:
        return False
    if text.isascii():
        return text.count(" ") + text.count("\n") < SHORT_TOKENS
    return len(token_spans(characters(text)[1])[0]) < SHORT_TOKENS


def bounded_shingles(tokens: Tokens, size: int) -> tuple[Hashes, NDArray[np.intp]]:
    """The shingles of several texts, and bounds: those of text i are from bounds[i] to bounds[i + 1]."""
    count = max(0, len(tokens) - size + 1)
    within = tokens.sentence[:count] == tokens.sentence[size - 1 : size - 1 + count]
    places = within.nonzero()[0]
    return windows(tokens.hashes, size).take(places), places.searchsorted(tokens.bounds)
