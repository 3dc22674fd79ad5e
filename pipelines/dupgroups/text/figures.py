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

from dupgroups.text.hashing import Hashes, mix
from dupgroups.text.sentences import Tokens

_AROUND = np.array([-2, -1, 1, 2])  # where the words of the context stand
_WEIGHTS = mix(np.arange(1, len(_AROUND) + 1, dtype=np.uint64))
_FIGURE = np.uint64(0x2545F4914F6CDD1D)  # stands for every figure


def figures(tokens: Tokens, most: int) -> bytes:
    """The figures of a text in three bytes each: two of the hashed context, one of the hashed value.

    Of more than `most` those with the smallest contexts are kept, so that two texts keep the same ones. b""
    for a text without figures.
    """
    places = np.flatnonzero(tokens.figure)
    if not len(places):
        return b""
    context = _contexts(tokens, places) >> np.uint64(48)
    found = np.sort(context << np.uint64(8) | mix(tokens.hashes[places]) >> np.uint64(56))
    new = np.ones(len(found), np.bool_)  # np.unique takes thrice as long
    new[1:] = found[1:] != found[:-1]
    packed: NDArray[np.uint8] = found[new][:most].astype(">u4").view(np.uint8).reshape(-1, 4)[:, 1:]
    return packed.tobytes()


def agreement(a: bytes, b: bytes) -> tuple[int, int]:
    """How many contexts the packed figures of two texts share, and how many of these have an equal value."""
    one, two = _by_context(a), _by_context(b)
    shared = one.keys() & two.keys()
    return len(shared), sum(not one[each].isdisjoint(two[each]) for each in shared)


def _contexts(tokens: Tokens, places: NDArray[np.intp]) -> Hashes:
    """Hashes of the tokens around each place; beyond the ends of the text the nearest token stands again."""
    beside = np.minimum(np.maximum(places[:, None] + _AROUND, 0), len(tokens) - 1)
    words = np.where(tokens.figure[beside], _FIGURE, tokens.hashes[beside])
    return mix((words * _WEIGHTS).sum(axis=1, dtype=np.uint64))


def _by_context(packed: bytes) -> dict[bytes, set[int]]:
    found: defaultdict[bytes, set[int]] = defaultdict(set)
    for at in range(0, len(packed), 3):
        found[packed[at : at + 2]].add(packed[at + 2])
    return found
