"""A limit on the attributes of tags: parsers compare each one with those before it, to leave out repetitions.

Where tags begin and end depends on comments, scripts and quotes, which a page can set against any shortcut.
But no tag goes on after a `>` that cannot be in quotes: one that stands after no `="`, or after the quote
that ends it. What is between two such places holds one tag at most, so the tag has at most as many attributes
as there are words.

| limit | default | why |
|---|---|---|
| `MAX_COMPARISONS` | 200,000,000 | comparisons of attributes that a page may cause: below a second |
| `HARMLESS` | 50,000 | bytes; a page that is shorter cannot cause so many |
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

MAX_COMPARISONS = 200_000_000
HARMLESS = 50_000

_LONG = 500  # bytes of a stretch whose words are counted, if its length does not settle it
_SHORTEST = 3  # bytes of an attribute, with what separates it from the next
_TAG = re.compile(rb"</?[a-zA-Z]")
_SEPARATORS = bytes.maketrans(b"/=", b"  ")

Places = NDArray[np.int64]


def crowded_at(source: bytes) -> int | None:
    """The byte at which the tag begins with which a page has too many attributes; None if there is none."""
    if len(source) < HARMLESS:
        return None
    codes = np.frombuffer(source, np.uint8)
    begins, ends = _stretches(codes)
    attributes = (ends - begins) / _SHORTEST
    distinct = attributes.copy()
    roots = _in_roots(codes, begins)
    if _excess(attributes, distinct, roots) is None:
        return None
    for place in np.flatnonzero(ends - begins > _LONG).tolist():
        attributes[place], distinct[place] = _counted(source[begins[place] : ends[place]])
    excess = _excess(attributes, distinct, roots)
    if excess is None:
        return None
    tag = _TAG.search(source, int(begins[excess]))
    return tag.start() if tag else None


def _stretches(codes: NDArray[np.uint8]) -> tuple[Places, Places]:
    """Begins and ends of what stands between each two `>` that cannot be in quotes."""
    ends = np.flatnonzero(codes == ord(">"))
    quoted = np.zeros(len(ends), np.bool_)
    for quote in b"\"'":
        quotes = np.flatnonzero(codes == quote)
        if len(quotes):
            last = quotes[np.searchsorted(quotes, ends) - 1]
            quoted |= _opens(codes, last) & (last < ends)
    ends = ends[~quoted]
    return np.append(0, ends + 1), np.append(ends, len(codes))


def _opens(codes: NDArray[np.uint8], quotes: Places) -> NDArray[np.bool_]:
    """Whether there is an equals sign before each quote; two blanks before it may hide one."""
    before, farther = (codes[np.maximum(quotes - distance, 0)] for distance in (1, 2))
    blank = ord(" ")
    equals = (before <= blank) & ((farther == ord("=")) | (farther <= blank))
    opens: NDArray[np.bool_] = (before == ord("=")) | equals
    return opens


def _in_roots(codes: NDArray[np.uint8], begins: Places) -> Places:
    """The stretches with a tag html or body: all of these share the attributes of one element."""
    tags = np.flatnonzero(codes[:-2] == ord("<"))
    first, second = codes[tags + 1] | 0x20, codes[tags + 2] | 0x20
    roots = ((first == ord("h")) & (second == ord("t"))) | ((first == ord("b")) & (second == ord("o")))
    return np.unique(np.searchsorted(begins, tags[roots], "right") - 1)


def _counted(stretch: bytes) -> tuple[int, int]:
    """The most attributes that a tag in it may have, and how many of these may be distinct."""
    tag = _TAG.search(stretch)
    words = stretch[tag.start() :].translate(_SEPARATORS).split() if tag else []
    return len(words), len(set(words))


def _excess(attributes: NDArray[np.float64], distinct: NDArray[np.float64], roots: Places) -> int | None:
    """The first stretch with which there are too many comparisons, if there is one."""
    comparisons = attributes * distinct
    if len(roots):
        comparisons[roots] = attributes[roots] * np.cumsum(distinct[roots])
    total = np.cumsum(comparisons)
    return int(np.searchsorted(total, MAX_COMPARISONS, "right")) if total[-1] > MAX_COMPARISONS else None
