"""The figures of a text, each with the words around it: what tells one day of a daily report from the next.

In a series the words stay and the figures in them change; in a copy both stay, whatever an editor cuts.
So two texts are compared where the same words surround a figure in both: nowhere else does an unlike
figure mean anything. A figure is any token with a digit; its context is the two tokens before it and the
two behind it, in which all figures count as one token, so that neighbours that changed do not hide each
other.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from dupgroups.text.hashing import Hashes, mix, windows
from dupgroups.text.sentences import Tokens

FIGURE = np.uint64(0x2545F4914F6CDD1D)  # stands for every figure where figures are masked
_AROUND = 2
_PACKED = np.dtype([("context", "<u2"), ("value", "u1")])


def figures(tokens: Tokens, most: int) -> bytes:
    """The figures of a text in three bytes each: hashes of context and value. b"" when it has none.

    Of more than `most`, those with the smallest context hash are kept, so that two texts keep the same ones.
    """
    at = np.flatnonzero(tokens.figure)
    contexts = mix(_contexts(tokens)[at])
    found = np.empty(len(at), _PACKED)
    found["context"] = contexts >> np.uint64(48)
    found["value"] = mix(tokens.hashes[at]) >> np.uint64(56)
    return np.unique(found)[:most].tobytes()


def agreement(a: bytes, b: bytes) -> tuple[int, int]:
    """How many contexts the packed figures of two texts share, and how many of these have an equal value."""
    one, two = _by_context(a), _by_context(b)
    shared = one.keys() & two.keys()
    return len(shared), sum(not one[each].isdisjoint(two[each]) for each in shared)


def _contexts(tokens: Tokens) -> Hashes:
    masked = np.pad(np.where(tokens.figure, FIGURE, tokens.hashes), _AROUND)
    return windows(masked, 2 * _AROUND + 1)


def _by_context(packed: bytes) -> dict[int, set[int]]:
    found: defaultdict[int, set[int]] = defaultdict(set)
    pairs: NDArray[np.void] = np.frombuffer(packed, _PACKED)
    for context, value in pairs.tolist():
        found[context].add(value)
    return found
