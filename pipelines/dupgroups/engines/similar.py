"""The words of an index that resemble a word which it does not have."""

from __future__ import annotations

from collections.abc import Mapping

from rapidfuzz.distance import OSA

from dupgroups.text.pairs import is_without_blanks

FIRST = 2  # letters that similar words have in common: an index looks through a part of its words only
_SHORTEST = 4
_EDITS = 2


def has_similar(word: str) -> bool:
    """Whether similar words are looked for: not for short words, numbers, and scripts without blanks."""
    return len(word) >= _SHORTEST and not word.isdecimal() and not is_without_blanks(word)


def similar_words(word: str, known: Mapping[str, int], limit: int) -> list[str]:
    """At most `limit` of the words in `known` (with the number of their documents); see Engine.closest."""
    if not has_similar(word):
        return []
    near = {
        other: distance
        for other in known
        if other.startswith(word[:FIRST])
        and len(other) >= _SHORTEST
        and 0 < (distance := OSA.distance(word, other, score_cutoff=_EDITS)) <= _EDITS
    }
    return sorted(near, key=lambda other: (near[other], -known[other], other))[:limit]
