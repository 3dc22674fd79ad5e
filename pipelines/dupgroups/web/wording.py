"""Numbers and lists in words, for the page and the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dupgroups.engines.common import names_of
from dupgroups.model import Hit, Query, Relation, Results

NAMES = 3  # authors of a document that are shown


RELATIONS: Mapping[Relation, str] = {
    "duplicate": "a copy of the second",
    "contains": "a text that has all of the second, and more",
    "contained": "a part of the second",
    "near": "similar to the second, but another story",
    "different": "another story than the second",
    "too_short": "too short to be compared, or the second is",
}
"""What the first of two documents is, by its relation to the second."""


def number(value: float | str | None) -> str:
    """A measured value: a share in percent, a count as it is, a decimal parameter with its digits.

    >>> number(0.8446), number(12), number(1.25)
    ('84.5%', '12', '1.25')
    """
    if isinstance(value, float):
        return f"{value:.1%}" if 0 <= value <= 1 else f"{value:g}"
    return "" if value is None else str(value)


def listed(names: Sequence[str], more: bool) -> str:
    """Names joined by commas; "and others" when there are more."""
    return ", ".join(names) + (" and others" if names and more else "")


def by(author: str) -> str:
    """The first names of an author line.

    >>> by("A. Lee, B. Kim, C. Roy, D. Poe")
    'A. Lee, B. Kim, C. Roy and others'
    """
    names = names_of(author)
    return listed(names[:NAMES], len(names) > NAMES)


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun: "1 story", "1,200 stories"."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def sizes(groups: Mapping[str, int]) -> str:
    """Groups with the numbers of their members.

    >>> sizes({"a": 2, "b": 1}), sizes({})
    ('groups a (2), b (1)', 'no group')
    """
    named = ", ".join(f"{name} ({size:,})" for name, size in groups.items())
    return f"{'group' if len(groups) == 1 else 'groups'} {named}" if groups else "no group"


def totals(query: Query, results: Results) -> str:
    """How many stories and documents match.

    >>> totals(Query(), Results((), stories=12, documents=40))
    '12 stories in 40 documents'
    >>> totals(Query(), Results((), stories=1200, documents=4000, exact=False))
    'about 1,200 stories in 4,000 documents'
    """
    about = "" if results.exact else "about "
    stories = about + counted(results.stories, "story", "stories")
    if query.mode == "head":
        return stories
    documents = counted(results.documents, "document")
    return f"{documents} in {stories}" if query.mode == "all" else f"{stories} in {documents}"


def also_from(hit: Hit) -> str:
    """Where else a story is, in sites: "also from: A, B and 20 more"; "" if it is nowhere else."""
    if not hit.sources:
        return f"also from {counted(hit.more_sites, 'other site')}" if hit.more_sites else ""
    return f"also from: {', '.join(hit.sources)}" + (f" and {hit.more_sites} more" if hit.more_sites else "")
