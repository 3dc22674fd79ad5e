"""How much of a page is read, so that no page costs more memory and time than its size deserves.

| limit | default | why |
|---|---|---|
| `MAX_CHARS` | 8,000,000 | characters of a page that are read; the rest is cut off |
| `MAX_NODES` | 40,000 | nodes of the tree that are visited: twice what the largest labelled page has |
| `MAX_COPIES` | 200,000 | elements that may be opened anew, as in every paragraph after `<b id=x>` |
| `MAX_DEPTH` | 10,000 | open elements at which the page is cut: parsing costs the square of the depth |
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

MAX_CHARS = 8_000_000
MAX_NODES = 40_000
MAX_COPIES = 200_000
MAX_DEPTH = 10_000

_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")
# empty elements, and those that one of their own kind ends
_NEVER_DEEP = frozenset(
    """area base br col dd dt embed hr img input li link meta option p param script source style tbody td th
    tr track wbr""".split()
)
# what is opened anew in every paragraph until it is closed (HTML, 13.2.4.3): at most three of the same
# attributes; a and nobr, which only are so once, are left out
_REOPENED = frozenset("b big code em font i s small strike strong tt u".split())
_REOPENED_TAG = re.compile(rf"<(/?)({'|'.join(sorted(_REOPENED))})([ \t\n\f\r/>])".encode(), re.IGNORECASE)


def bounded(html: str) -> tuple[str, bytes]:
    """The page as far as it is read, and the same as UTF-8. "" stays "". Raises nothing."""
    html = html[:MAX_CHARS]
    source = utf8(html)
    if not _may_burst(source):
        return html, source
    html = _tamed(html)
    return html, utf8(html)


def utf8(html: str) -> bytes:
    """The page as the parsers take it: lone surrogates are kept."""
    return html.encode("utf-8", "surrogatepass")


def _may_burst(source: bytes) -> bool:
    """Whether the tree could be too deep or too large for its source: a quick look, on the safe side."""
    codes = np.frombuffer(source, np.uint8)
    tags = np.flatnonzero(codes[:-2] == ord("<"))
    if len(tags) > MAX_DEPTH:
        return True
    reopened = _beginnings()[codes[tags + 1], codes[tags + 2]]
    return int(np.count_nonzero(reopened)) * len(tags) > MAX_COPIES and _copies(source) > MAX_COPIES


def _copies(source: bytes) -> int:
    """At most how many elements are opened anew; looks only at those that may be."""
    copies = reopened = last = 0
    opened: defaultdict[bytes, list[bool]] = defaultdict(list)
    for match in _REOPENED_TAG.finditer(source):
        copies += reopened and reopened * source.count(b"<", last, match.start())
        last, name = match.start(), match[2].lower()
        if not match[1]:
            opened[name].append(match[3] != b">")
            reopened += match[3] != b">"
        elif opened[name]:
            reopened -= opened[name].pop()
    return copies + reopened * source.count(b"<", last)


@cache
def _beginnings() -> NDArray[np.bool_]:
    """(256, 256): whether a tag of these two bytes may be of `_REOPENED` and have attributes."""
    found = np.zeros((256, 256), np.bool_)
    for name in _REOPENED:
        for first, second in product(*((each, each.upper()) for each in f"{name} "[:2])):
            found[ord(first), list(b" \t\n\f\r/") if second == " " else ord(second)] = True
    return found


def _tamed(html: str) -> str:
    """The page up to where too many elements are open, begun or opened anew; implied ends do not count."""
    depth = begun = copies = reopened = 0
    opened: defaultdict[str, list[bool]] = defaultdict(list)  # whether it will be opened anew
    for match in _TAG.finditer(html):
        end, name = match[1], match[2].lower()
        begun += not end
        copies += reopened
        if begun > MAX_NODES or copies > MAX_COPIES:
            return html[: match.start()]
        if name in _NEVER_DEEP:
            continue
        if not end:
            again = name in _REOPENED and html[match.end() : match.end() + 1] != ">"
            opened[name].append(again)
            reopened += again
            depth += 1
            if depth > MAX_DEPTH:
                return html[: match.start()]
        elif opened[name]:
            reopened -= opened[name].pop()
            depth -= 1
    return html
