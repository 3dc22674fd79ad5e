"""The authors before whose names a page has a tag that says so, in its class, rel, itemprop or address."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice

from dupgroups.content.bylines import glued_names, is_person, read_names, strip_by
from dupgroups.content.unspaced_bylines import MAX_BYLINE_CHARS, uncased_start

MARKED_SOURCE = "an element marked as author"
"""Where such a name was found."""

# of elements with such words in their class that are not those of the article's author
NO_AUTHOR = re.compile(r"comment|related|popular|top-?authors|teaser|promo|position|job-?title|(?<!v)card")
# the tags just before a name, one of them with such a word: in its class, rel or itemprop, or an address
_TAGS = re.compile(r"(?:<[^<>]*>\s*){1,5}$")
_MARKED_TAG = re.compile(
    r"""\b(?:rel|itemprop|property|class|id|href|data-[\w-]+)\s*=\s*(?:"[^"<>]*|'[^'<>]*|[^\s"'<>]*)"""
    r"(?:author|byline|autor|yazar|auteur|verfasser|redakt[eo]|signature|contributor|columnist|journalist|reporter"
    r"|/(?:by|people|profiles?|staff|team|writers?|users?)/)",
    re.IGNORECASE,
)
_PIECE = re.compile(r"\s?[|•·–—:]\s?|・\s")
_LONGEST_TAGS, _MOST_PLACES = 600, 8  # characters before a name that are read; places of the name


def find_marked_names(html: str, lines: Iterable[str]) -> list[str]:
    """The only people in these lines before whose names the page has such a tag; [] if there are others."""
    pieces = (piece for line in lines if len(line) <= MAX_BYLINE_CHARS for piece in _PIECE.split(line))
    found = {tuple(names) for piece in pieces if (names := _marked_in(html, strip_by(piece)))}
    return list(found.pop()) if len(found) == 1 else []


def _marked_in(html: str, piece: str) -> list[str]:
    """The names at the beginning of a piece of a line, or all between commas, if they have marks."""
    every = piece.split(", ")
    if len(every) > 1 and all(is_person(name) and _has_mark(html, name) for name in every):
        return every
    names = read_names(piece) or uncased_start(piece)
    if names and _has_mark(html, names[0]):
        return names
    return [*islice((name for name in glued_names(piece) if f"{name}<" in html and _has_mark(html, name)), 1)]


def _has_mark(html: str, name: str) -> bool:
    at = html.find(name)
    for _ in range(_MOST_PLACES):
        if at < 0:
            break
        before = html[max(0, at - _LONGEST_TAGS) : at].rstrip()
        tags = _TAGS.search(before) if before.endswith(">") else None
        if tags and _MARKED_TAG.search(tags[0]) and not NO_AUTHOR.search(tags[0].lower()):
            return True
        at = html.find(name, at + 1)
    return False
