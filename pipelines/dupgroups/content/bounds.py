"""Limits on how much of a page is read, so that no page takes unreasonable memory and time.

| limit | default | why |
|---|---|---|
| `MAX_CHARS` | 8,000,000 | characters of a page that are read; the rest is cut off |
| `MAX_NODES` | 40,000 | nodes of the tree that are visited: twice what the largest labelled page has |
| `MAX_COPIES` | 200,000 | elements that may be reopened, as in every paragraph after `<b id=x>` |
| `MAX_DEPTH` | 10,000 | open elements at which the page is cut: parsing time is quadratic in the depth |
| `MAX_TAGS` | 200,000 | tags of a page that is cut at all, with those that end an element |
| `MAX_STEPS` | 100,000,000 | open elements that a parser may look through, all tags taken together |
| `MAX_OPTIONS` | 4,000 | options of one list: parsing time is quadratic in their number |

`attributes.py` limits the attributes of tags.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from dupgroups.content.attributes import Places, crowded_at, tags_in

MAX_CHARS = 8_000_000
MAX_NODES = 40_000
MAX_COPIES = 200_000
MAX_DEPTH = 10_000
MAX_TAGS = 200_000
MAX_STEPS = 100_000_000
MAX_OPTIONS = 4_000

_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")
# empty elements, and elements that end at the next one of the same kind
_NEVER_DEEP = frozenset(
    """area base br col dd dt embed hr img input li link meta option p param script source style tbody td th
    tr track wbr""".split()
)
# elements that are reopened in every paragraph until they are closed (HTML, 13.2.4.3), at most three with
# the same attributes; a and nobr are left out because they are reopened only once
_REOPENED = frozenset("b big code em font i s small strike strong tt u".split())
_REOPENED_TAG = re.compile(rf"<(/?)({'|'.join(sorted(_REOPENED))})([ \t\n\f\r/>])".encode(), re.IGNORECASE)


def bounded(html: str) -> tuple[str, bytes]:
    """The part of the page that is read, and the same as UTF-8. "" stays "". Never raises."""
    html = html[:MAX_CHARS]
    source = utf8(html)
    tags = tags_in(source)
    crowded = crowded_at(source, tags)
    if crowded is not None:
        source, tags = source[:crowded], tags[tags < crowded - 2]
        html = source.decode("utf-8", "surrogatepass")
    if not _may_explode(source, tags):
        return html, source
    html = _truncated(html)
    return html, utf8(html)


def utf8(html: str) -> bytes:
    """The page in UTF-8 for the parsers; lone surrogates are kept."""
    return html.encode("utf-8", "surrogatepass")


def _may_explode(source: bytes, tags: Places) -> bool:
    """Whether the tree could become too deep or too large: a quick check without false negatives."""
    codes = np.frombuffer(source, np.uint8)
    if len(tags) > MAX_DEPTH:
        return True
    first, second = codes[tags + 1], codes[tags + 2]
    if np.count_nonzero((first | 0x20 == ord("o")) & (second | 0x20 == ord("p"))) > MAX_OPTIONS:
        return True
    reopened = _beginnings()[first, second]
    return int(np.count_nonzero(reopened)) * len(tags) > MAX_COPIES and _copies(source) > MAX_COPIES


def _copies(source: bytes) -> int:
    """An upper bound of the number of reopened elements; reads only tags of such elements."""
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
    """(256, 256): whether a tag with these first two bytes may be in `_REOPENED` and have attributes."""
    possible = np.zeros((256, 256), np.bool_)
    for name in _REOPENED:
        for first, second in product(*((character, character.upper()) for character in f"{name} "[:2])):
            possible[ord(first), list(b" \t\n\f\r/") if second == " " else ord(second)] = True
    return possible


def _truncated(html: str) -> str:
    """The page up to the tag at which there is too much of something; ignores implied ends."""
    tags = begun = options = depth = steps = copies = reopened = 0
    opened: defaultdict[str, list[bool]] = defaultdict(list)  # per name: whether each will be reopened
    for match in _TAG.finditer(html):
        end, name = match[1], match[2].lower()
        tags += 1
        begun += not end
        options = 0 if name == "select" else options + (name == "option")
        steps += depth
        copies += reopened
        if (
            tags > MAX_TAGS
            or begun > MAX_NODES
            or options > MAX_OPTIONS
            or steps > MAX_STEPS
            or copies > MAX_COPIES
            or depth > MAX_DEPTH
        ):
            return html[: match.start()]
        if name in _NEVER_DEEP:
            continue
        if not end:
            again = name in _REOPENED and html[match.end() : match.end() + 1] != ">"
            opened[name].append(again)
            reopened += again
            depth += 1
        elif opened[name]:
            reopened -= opened[name].pop()
            depth -= 1
    return html
