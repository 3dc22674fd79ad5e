"""A limit on the attributes of tags: parsers compare each one with those before it, to leave out repetitions.

Where tags begin and end depends on comments, scripts and quotes, which a page can set against any shortcut.
But no tag goes on after a `>` that cannot be in quotes: one that stands after no `="`, or after the quote
that ends it. What is between two such places holds one tag at most, so the tag has at most as many attributes
as there are words.

| limit | default | why |
|---|---|---|
| `MAX_COMPARISONS` | 200,000,000 | comparisons of attributes that a page may cause: below a second |
| `HARMLESS` | 50,000 | bytes; a page that is shorter cannot cause so many |
| `STEP` | 2,500 | bytes in which one such `>` is looked for, which is enough for most pages |
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

MAX_COMPARISONS = 200_000_000
HARMLESS = 50_000
STEP = 2_500

_LONG = 500  # bytes of a stretch whose words are counted, if its length does not settle it
_SHORTEST = 3  # bytes of an attribute, with what separates it from the next
_TAG = re.compile(rb"</?[a-zA-Z]")
_SEPARATORS = bytes.maketrans(b"/=", b"  ")

Places = NDArray[np.int64]


def tags_in(source: bytes) -> Places:
    """Where a tag may begin."""
    return np.flatnonzero(np.frombuffer(source, np.uint8)[:-2] == ord("<"))


def crowded_at(source: bytes, tags: Places | None = None) -> int | None:
    """The byte at which the tag begins with which a page has too many attributes; None if there is none.

    `tags` are the `tags_in` the page, if they are known.
    """
    if len(source) < HARMLESS:
        return None
    codes = np.frombuffer(source, np.uint8)
    root_tags = _roots(codes, tags_in(source) if tags is None else tags)
    if _at_most(source, codes, len(root_tags)) <= MAX_COMPARISONS:
        return None
    begins, ends = _stretches(codes)
    attributes = (ends - begins) / _SHORTEST
    distinct = attributes.copy()
    roots = np.unique(np.searchsorted(begins, root_tags, "right") - 1)
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


def _roots(codes: NDArray[np.uint8], tags: Places) -> Places:
    """Where a tag html or body may begin: all of these share the attributes of one element."""
    first, second = codes[tags + 1] | 0x20, codes[tags + 2] | 0x20
    is_root = ((first == ord("h")) & (second == ord("t"))) | ((first == ord("b")) & (second == ord("o")))
    roots: Places = tags[is_root]
    return roots


def _at_most(source: bytes, codes: NDArray[np.uint8], roots: int) -> int:
    """As many comparisons as there may be, by the lengths of what stands between some of these `>`."""
    ends = [*_some_ends(source), len(source)]
    attributes = [_most(codes[begin:end]) for begin, end in pairwise([0, *ends])]
    return sum(number**2 for number in attributes) + roots * (roots - 1) // 2 * max(attributes) ** 2


def _some_ends(source: bytes) -> Iterator[int]:
    """The last `>` of each step, if it cannot be in quotes."""
    end, quote, apostrophe = 0, -1, -1  # the last ones
    for start in range(0, len(source), STEP):
        found = source.rfind(b">", start, start + STEP)
        if found >= 0:
            quote = max(quote, source.rfind(b'"', end, found))
            apostrophe = max(apostrophe, source.rfind(b"'", end, found))
            end = found
            if not _may_open(source, quote) and not _may_open(source, apostrophe):
                yield end


def _most(stretch: NDArray[np.uint8]) -> int:
    """The most attributes that a tag in it may have: by its length, or by the signs of which each has one."""
    if len(stretch) <= 2 * STEP:
        return len(stretch) // _SHORTEST
    return int(np.count_nonzero((stretch <= ord(" ")) | (stretch == ord("/")) | (stretch == ord("=")))) + 1


def _may_open(source: bytes, quote: int) -> bool:
    """Whether there may be an equals sign before the quote, if there is one."""
    before = source[max(quote - 2, 0) : max(quote, 0)]
    return b"=" in before or before.isspace()


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
