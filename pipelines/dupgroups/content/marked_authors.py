"""The authors before whose names a page has a tag that says so, in its class, rel, itemprop or address."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice, takewhile

from dupgroups.content.bylines import glued_names, is_person, may_be_in_name, read_names, strip_by
from dupgroups.content.unspaced_bylines import MAX_BYLINE_CHARS, uncased_start
from dupgroups.text.word_tables import read_table

MARKED_SOURCE = "an element marked as author"
"""Where such a name was found."""

# of elements with such words in their class that are not those of the article's author
_WORDS = read_table("byline_words.csv")
AUTHOR_NAMES, _NO_AUTHOR_NAMES = ("|".join(_WORDS[kind]) for kind in ("class", "no author class"))
NO_AUTHOR = re.compile(_NO_AUTHOR_NAMES)
# of the tags just before a name, one of them with such a word: in its class, rel or itemprop, or an address
_MARK = (
    r"""\b(?:rel|itemprop|property|class|id|href|data-[\w-]+)\s*=\s*(?:"[^"<>]*|'[^'<>]*|[^\s"'<>]*)"""
    rf"(?:{AUTHOR_NAMES}"
)
_MARKED_TAG = re.compile(rf"{_MARK}|/(?:by|people|profiles?|staff|team|writers?|users?)/)", re.IGNORECASE)
_SURELY_MARKED_TAG = re.compile(f"{_MARK})", re.IGNORECASE)  # also before what is no name of a person
_REST_OF_TAG = re.compile(r"[^<>]*>\s*")
_PIECE = re.compile(r"\s?[|•·–—:]\s?|・\s")
_LONGEST_TAGS, _MOST_TAGS = 600, 5  # characters before a name that are read, and tags
_MOST_PLACES = 8  # of the name
_MOST_WORDS = 3  # of the name of one who does not sign as a person


def find_marked_names(html: str, lines: Iterable[str]) -> list[str]:
    """The only people in these lines before whose names the page has such a tag; [] if there are others."""
    pieces = [
        strip_by(piece) for line in lines if len(line) <= MAX_BYLINE_CHARS for piece in _PIECE.split(line)
    ]
    found = {tuple(names) for piece in pieces if (names := _marked_in(html, piece))}
    found = found or {(name,) for piece in pieces for name in _pen_names(html, piece)}
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


def _pen_names(html: str, piece: str) -> Iterator[str]:
    """The longest beginning of a piece that is all of a marked element: "Team Harbour", "Matthias"."""
    words = piece.split()[:_MOST_WORDS] if piece[:1].isupper() else []
    words = [*takewhile(lambda word: word[0].isupper() and may_be_in_name(word), words)]
    if words and _has_mark(html, words[0]):
        names = (" ".join(words[:count]) for count in range(len(words), 0, -1))
        yield from islice((one for one in names if len(one) > 2 and _has_mark(html, one, is_whole=True)), 1)


def _has_mark(html: str, name: str, *, is_whole: bool = False) -> bool:
    at = html.find(name)
    for _ in range(_MOST_PLACES):
        if at < 0:
            break
        end = at + len(name)
        is_inside = is_whole and html[end : end + 99].lstrip()[:1] != "<"
        tags = "" if is_inside else _tags_before(html[max(0, at - _LONGEST_TAGS) : at])
        pattern = _SURELY_MARKED_TAG if is_whole else _MARKED_TAG
        if tags and pattern.search(tags) and not NO_AUTHOR.search(tags.lower()):
            return True
        at = html.find(name, at + 1)
    return False


def _tags_before(source: str) -> str:
    """The tags with which it ends, with nothing but blanks between them."""
    after = reversed(source.rstrip().rsplit("<", _MOST_TAGS)[1:])
    return "".join(f"<{rest}" for rest in takewhile(_REST_OF_TAG.fullmatch, after))
