"""The numerals of a text, each with the words around it: what tells one day of a daily report from the next.

In a series the words stay and the numerals in them change; in a copy both stay, whatever an editor cuts.
So two texts are compared where the same words surround a numeral in both: nowhere else does an unlike
numeral mean anything. A numeral is any token with a digit; its context is the two tokens before it and the
two after it, in which all numerals count as one token, so that neighbours that changed do not hide each
other.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dupgroups.sketches.hashing import Hashes, mix
from dupgroups.sketches.sets import distinct
from dupgroups.text.sentences import Tokens

_AROUND = np.array([[-2], [-1], [1], [2]])  # where the words of the context stand
_WEIGHTS = mix(np.arange(1, len(_AROUND) + 1, dtype=np.uint64))[:, None]
_NUMERAL = np.uint64(0x2545F4914F6CDD1D)  # stands for every numeral


def numerals(tokens: Tokens, most: int) -> bytes:
    """The numerals of a text in three bytes each: two of the hashed context, one of the hashed value.

    Of more than `most` those with the smallest contexts are kept, so that two texts keep the same ones. b""
    for a text without numerals.
    """
    return b"".join(bounded_numerals(tokens, most))


def bounded_numerals(tokens: Tokens, most: int) -> list[bytes]:
    """The numerals of several texts, those of each as `numerals` gives them."""
    places = tokens.has_digit.nonzero()[0]
    if not len(places):
        return [b""] * (len(tokens.bounds) - 1)
    owner = tokens.bounds.searchsorted(places, side="right") - 1
    found = _contexts(tokens, places, owner) >> np.uint64(48) << np.uint64(8)
    found |= mix(tokens.hashes[places]) >> np.uint64(56)
    found |= owner.astype(np.uint64) << np.uint64(24)
    found = distinct(found)
    packed = found.astype(">u4").view(np.uint8).reshape(-1, 4)[:, 1:].tobytes()
    ends = found.searchsorted(np.arange(len(tokens.bounds), dtype=np.uint64) << np.uint64(24)).tolist()
    return [packed[3 * start : 3 * min(end, start + most)] for start, end in pairwise(ends)]


def agreement(a: bytes, b: bytes) -> tuple[int, int]:
    """How many contexts the packed numerals of two texts share, and how many of these have an equal value."""
    one, two = _by_context(a), _by_context(b)
    shared = one.keys() & two.keys()
    return len(shared), sum(not one[each].isdisjoint(two[each]) for each in shared)


def _contexts(tokens: Tokens, places: NDArray[np.intp], owner: NDArray[np.intp]) -> Hashes:
    """Hashes of the tokens around each place; beyond the ends of its text the nearest token stands again."""
    first, last = tokens.bounds[owner], tokens.bounds[owner + 1] - 1
    beside = np.minimum(np.maximum(places + _AROUND, first), last)
    words = np.where(tokens.has_digit[beside], _NUMERAL, tokens.hashes[beside])
    return mix((words * _WEIGHTS).sum(axis=0, dtype=np.uint64))


def _by_context(packed: bytes) -> dict[bytes, set[int]]:
    found: defaultdict[bytes, set[int]] = defaultdict(set)
    for at in range(0, len(packed), 3):
        found[packed[at : at + 2]].add(packed[at + 2])
    return found
