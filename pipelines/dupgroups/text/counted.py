"""Numbers with their nouns, for sentences in English."""

from __future__ import annotations


def count_noun(number: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun.

    >>> count_noun(1, "story", "stories"), count_noun(1200, "document")
    ('1 story', '1,200 documents')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
