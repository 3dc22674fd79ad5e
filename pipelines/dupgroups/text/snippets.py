"""Snippets: the part of a text that shows why a query matched, with the words of the query marked."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from itertools import islice

from dupgroups.text.terms import is_without_blanks
from dupgroups.text.words import fold, simplify

OPEN, CLOSE = "\ue000", "\ue001"  # private characters: they cannot be mistaken for text or markup
_MARKS = str.maketrans("", "", OPEN + CLOSE)
_MAX_MATCHES = 2_000  # matches that are considered for the best place
_LEAD_CHARS = 40  # characters of context before the first match


def snippet(text: str, words: Sequence[str], width: int = 200) -> str:
    """About `width` characters of `text` on one line, around the place with the most distinct `words`.

    `words` must be folded (as `query_syntax.found_words` gives them). Matches are enclosed in U+E000 and
    U+E001, which are removed from `text` first. "…" marks where text was cut off. Without a match, the
    snippet is the beginning of the text; "" for an empty text.
    """
    line = " ".join(text.translate(_MARKS).split())
    matches = _matches(line, words)
    first, last = _window(line, _best(matches, width), width)
    pieces, at = ["…" if first else ""], first
    for start, end, _ in matches:
        if first <= start and end <= last:
            pieces += [line[at:start], OPEN, line[start:end], CLOSE]
            at = end
    return "".join([*pieces, line[at:last], "…" if last < len(line) else ""])


def _matches(line: str, words: Sequence[str]) -> list[tuple[int, int, str]]:
    """The matches of the words in the line as (start, end, word), in order, without overlaps: of longer ones
    first, so that a word wins over its parts; in some scripts words have no boundaries.
    """
    ordered = sorted(filter(None, words), key=len, reverse=True)
    named = ((word, re.escape(word)) for word in ordered)
    parts = [part if is_without_blanks(word) else rf"(?<!\w){part}(?!\w)" for word, part in named]
    matches = re.finditer("|".join(parts), _fold_aligned(line)) if parts else iter(())
    return [(match.start(), match.end(), match[0]) for match in islice(matches, _MAX_MATCHES)]


def _fold_aligned(line: str) -> str:
    """The line, folded as far as possible with every character kept in its place."""
    folded = fold(line)
    if len(folded) == len(line):
        return folded
    folds = ((one, unicodedata.normalize("NFKC", one).casefold()) for one in line)
    by_character = "".join(folded if len(folded) == 1 else one.lower()[:1] for one, folded in folds)
    simple = simplify(by_character)
    return simple if len(simple) == len(line) else by_character


def _best(matches: Sequence[tuple[int, int, str]], width: int) -> int:
    """Start of the first window with the most distinct words; 0 without matches."""
    held: Counter[str] = Counter()
    best, place, left = 0, 0, 0
    for _, end, word in matches:
        held[word] += 1
        while end - matches[left][0] > width and matches[left][1] < end:
            held[matches[left][2]] -= 1
            held += Counter()  # drops the zeros
            left += 1
        if len(held) > best:
            best, place = len(held), matches[left][0]
    return place


def _window(line: str, place: int, width: int) -> tuple[int, int]:
    """The first and last position to show, moved to the edges of words if there are any nearby."""
    first = max(0, min(place - min(_LEAD_CHARS, width // 4), len(line) - width))
    if first:
        blank = line.find(" ", first, place)
        first = blank + 1 if blank >= 0 else first
    last = min(len(line), first + width)
    if last < len(line):
        blank = line.rfind(" ", max(place + 1, last - 20), last)
        last = blank if blank > 0 else last
    return first, last
