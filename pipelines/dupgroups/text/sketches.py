"""The body of a shingle signature: a few hundred bytes from which two texts are compared.

It holds a b-bit one-permutation MinHash of the shingles (Li, Owen, Zhang: One Permutation Hashing, NIPS 2012;
Li, König: b-Bit Minwise Hashing, WWW 2010; empty bins filled as in Shrivastava: Optimal Densification, ICML
2017), the number of shingles, which turns resemblance into containment, and the figures of the text, each with
the words around it, which tell two days of a daily report apart.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from dupgroups.text.hashing import Hashes, combine, scramble
from dupgroups.text.shingles import Tokens

BITS = 4  # of each minimum that are kept: two unlike minima agree by chance one time in sixteen
_HEAD = struct.Struct("<HIB")  # bins, shingles, figures
_FIGURE = np.dtype([("context", "<u2"), ("value", "u1")])


@dataclass(frozen=True, slots=True)
class Sketch:
    """`minima`: BITS bits for each bin, shape (bins,); `size`: distinct shingles; `figures`: context, value."""

    minima: npt.NDArray[np.uint8]
    size: int
    figures: npt.NDArray[np.void]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Figures that stand in the same words in both texts: how many, and how many of them are equal."""

    common: int
    equal: int


def minima(shingles: Hashes, bins: int) -> tuple[Hashes, npt.NDArray[np.bool_]]:
    """The smallest shingle hash of each bin, and which bins had one; shapes (bins,). `shingles` sorted."""
    where = ((shingles >> np.uint64(32)) * np.uint64(bins)) >> np.uint64(32)
    first = np.flatnonzero(np.concatenate([[True], where[1:] != where[:-1]]))[: len(shingles)]
    smallest, filled = np.zeros(bins, dtype=np.uint64), np.zeros(bins, dtype=np.bool_)
    smallest[where[first]] = shingles[first]
    filled[where[first]] = True
    return smallest, filled


def pack(shingles: Hashes, figures: npt.NDArray[np.void], bins: int) -> bytes:
    """A body from the sorted distinct shingle hashes (at least one) and the figures."""
    smallest, filled = minima(shingles, bins)
    if not filled.all():
        empty = np.flatnonzero(~filled)
        probes = _probes(bins)[empty]
        smallest[empty] = smallest[probes[np.arange(len(empty)), filled[probes].argmax(axis=1)]]
    low = (scramble(smallest) & np.uint64((1 << BITS) - 1)).astype(np.uint8)
    packed = low[0::2] | (low[1::2] << np.uint8(BITS))
    return _HEAD.pack(bins, len(shingles), len(figures)) + packed.tobytes() + figures.tobytes()


def unpack(body: bytes) -> Sketch:
    """What `pack` packed."""
    bins, size, _ = _HEAD.unpack_from(body)
    packed = np.frombuffer(body, np.uint8, bins // 2, _HEAD.size)
    low = np.empty(bins, dtype=np.uint8)
    low[0::2], low[1::2] = packed & np.uint8((1 << BITS) - 1), packed >> np.uint8(BITS)
    return Sketch(low, size, np.frombuffer(body, _FIGURE, offset=_HEAD.size + bins // 2))


def resemblance(a: Sketch, b: Sketch) -> float:
    """Estimated Jaccard similarity of the two shingle sets, 0 to 1; equal sets give 1.

    Sketches of unlike width do not compare (ValueError).
    """
    if len(a.minima) != len(b.minima):
        raise ValueError(f"sketches of {len(a.minima)} and {len(b.minima)} bins do not compare")
    chance = 1 / (1 << BITS)
    agreeing = np.count_nonzero(a.minima == b.minima) / len(a.minima)
    most = min(a.size, b.size) / max(a.size, b.size)
    return min(max((agreeing - chance) / (1 - chance), 0.0), most)


def containment(a: Sketch, b: Sketch) -> float:
    """Estimated share of the smaller shingle set that lies in the larger one, 0 to 1."""
    alike = resemblance(a, b)
    return min(alike / (1 + alike) * (a.size + b.size) / min(a.size, b.size), 1.0)


def figures_of(tokens: Tokens, most: int) -> npt.NDArray[np.void]:
    """The figures of a text with hashes of the words around them, at most `most`, sorted by context.

    The context is two tokens before and one after, in which figures count as one and the same token.
    """
    at = np.flatnonzero(tokens.figures)
    masked = np.concatenate(
        [
            np.zeros(2, np.uint64),
            np.where(tokens.figures, np.uint64(1), tokens.hashes),
            np.zeros(1, np.uint64),
        ]
    )
    context = combine([masked[at], masked[at + 1], masked[at + 3]]) if len(at) else np.empty(0, np.uint64)
    found = np.empty(len(at), dtype=_FIGURE)
    found["context"] = context >> np.uint64(48)
    found["value"] = tokens.hashes[at] >> np.uint64(56)
    return np.unique(found)[:most]


def agreement(a: Sketch, b: Sketch) -> Agreement:
    """Compares the figures of two texts where the same words surround them."""
    one, two = ({}, {})  # type: dict[int, set[int]], dict[int, set[int]]
    for sketch, table in ((a, one), (b, two)):
        for context, value in sketch.figures.tolist():
            table.setdefault(context, set()).add(value)
    common = one.keys() & two.keys()
    return Agreement(len(common), sum(not one[each].isdisjoint(two[each]) for each in common))


@cache
def _probes(bins: int) -> npt.NDArray[np.intp]:
    """For each bin an order in which the others are asked to lend their minimum; shape (bins, bins)."""
    cells = np.arange(bins * bins, dtype=np.uint64).reshape(bins, bins)
    return np.argsort(scramble(cells), axis=1, kind="stable")
