"""The numerals of a text with the words around them, which distinguish the issues of a daily report.

In a series the words stay and the numerals change; in a copy both stay, even when an editor cuts the text. So
two texts are compared where the same words surround a numeral in both: a different numeral means nothing
elsewhere. A numeral is any token with a digit. Its context is the two tokens before it and the two after it;
all numerals in a context count as the same token, so that a changed numeral does not change the contexts of
its neighbours.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dupgroups.text.hashing import Hashes, mix
from dupgroups.text.sentences import Tokens
from dupgroups.text.sets import distinct

_CONTEXT_OFFSETS = np.array([[-2], [-1], [1], [2]])  # where the words of the context stand
_WEIGHTS = mix(np.arange(1, len(_CONTEXT_OFFSETS) + 1, dtype=np.uint64))
_NUMERAL = np.uint64(0x2545F4914F6CDD1D)  # stands for every numeral


def bounded_numerals(tokens: Tokens, most: int) -> list[bytes]:
    """The numerals of each of several texts in three bytes each: two of the hashed context, one of the value.

    If a text has more than `most`, those with the smallest context hashes are kept, so that two texts keep
    the same ones. b"" for a text without numerals.
    """
    places = tokens.has_digit.nonzero()[0]
    if not len(places):
        return [b""] * (len(tokens.bounds) - 1)
    owner = tokens.bounds.searchsorted(places, side="right") - 1
    codes = _contexts(tokens, places, owner) >> np.uint64(48) << np.uint64(8)
    codes |= mix(tokens.hashes[places]) >> np.uint64(56)
    codes |= owner.astype(np.uint64) << np.uint64(24)
    codes = distinct(codes)
    packed = codes.astype(">u4").view(np.uint8).reshape(-1, 4)[:, 1:].tobytes()
    ends = codes.searchsorted(np.arange(len(tokens.bounds), dtype=np.uint64) << np.uint64(24)).tolist()
    return [packed[3 * start : 3 * min(end, start + most)] for start, end in pairwise(ends)]


def agreement(a: bytes, b: bytes) -> tuple[int, int]:
    """How many contexts two texts share by their packed numerals, and in how many the numerals are equal."""
    one, two = _by_context(a), _by_context(b)
    shared = one.keys() & two.keys()
    return len(shared), sum(not one[context].isdisjoint(two[context]) for context in shared)


def _contexts(tokens: Tokens, places: NDArray[np.intp], owner: NDArray[np.intp]) -> Hashes:
    """Hashes of the tokens around each place; beyond the ends of its text, the nearest token is repeated."""
    first, last = tokens.bounds[owner], tokens.bounds[owner + 1] - 1
    beside = np.minimum(np.maximum(places + _CONTEXT_OFFSETS, first), last)
    words = np.where(tokens.has_digit[beside], _NUMERAL, tokens.hashes[beside])
    return mix(_WEIGHTS @ words)


def _by_context(packed: bytes) -> dict[bytes, set[int]]:
    values: defaultdict[bytes, set[int]] = defaultdict(set)
    for start in range(0, len(packed), 3):
        values[packed[start : start + 2]].add(packed[start + 2])
    return values
