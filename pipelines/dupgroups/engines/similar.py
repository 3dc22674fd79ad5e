"""The words of an index that resemble a word which it does not have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rapidfuzz.distance import OSA

from dupgroups.text.pairs import is_without_blanks

FIRST = 2  # letters that similar words have in common: an index looks through a part of its words only
EDITS = 2  # at most
_SHORTEST = 4


def similar_words(word: str, known: Mapping[str, int], limit: int) -> list[str]:
    """At most `limit` of the words in `known` (with the number of their documents); see Engine.closest."""
    return nearest(near_words(word, known), known, limit)


def near_words(word: str, known: Iterable[str]) -> dict[str, int]:
    """Those of some words that are similar, each with the number of edits: none for short words, numbers, and
    scripts without blanks.
    """
    if len(word) < _SHORTEST or word.isdecimal() or is_without_blanks(word):
        return {}
    return {
        other: distance
        for other in known
        if other.startswith(word[:FIRST])
        and len(other) >= _SHORTEST
        and 0 < (distance := OSA.distance(word, other, score_cutoff=EDITS)) <= EDITS
    }


def nearest(near: Mapping[str, int], documents: Mapping[str, int], limit: int) -> list[str]:
    """At most `limit` of these words: with the fewest edits, then in the most documents."""
    return sorted(near, key=lambda other: (near[other], -documents[other], other))[:limit]
