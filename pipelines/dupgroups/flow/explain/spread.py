"""How a story spread: its copies by the dates on their pages, and what they changed.

A page may say when it was published to the minute, only on which day, or not at all. No time of day is made
up for a copy that has none, and a date that cannot be right does not count (see `publication_dates.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from dupgroups.flow.explain.text_alignment import Passage, align
from dupgroups.grouping.heads import order_of
from dupgroups.grouping.publication_dates import DAY_MINUTES, published_by, says_when
from dupgroups.model import Copy, Record
from dupgroups.text.iso_dates import minute_of, published_minute

MAX_COMPARED_COPIES = 12  # copies whose texts are compared with that of the first one
MAX_COMPARED_WORDS = 2_000  # words of a text that are compared

_FIGURE = re.compile(r"\d+(?:[.,:]\d+)*")


@dataclass(frozen=True, slots=True)
class Appearance:
    """A copy; when it was first `seen` (microseconds since 1970); by when it was published (`published_by`);
    whether its page says on which day (`dated`), and at what time (`timed`).
    """

    copy: Copy
    seen: int
    by: int
    dated: bool
    timed: bool


@dataclass(frozen=True, slots=True)
class Change:
    """How many words of the first copy another one has not (`cut`), and what it has besides them (`added`);
    `figures` that differ at the same place, each with the new one.
    """

    cut: int
    added: int
    figures: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Spread:
    """The copies of a story, in the order in which they were published, as far as is known."""

    copies: Sequence[Appearance]

    @classmethod
    def of(cls, copies: Iterable[tuple[Copy, Record]]) -> Spread:
        """The spread of stored copies. Empty for none."""
        order = order_of("published")
        return cls([_appearance(*one) for one in sorted(copies, key=lambda one: order(one[1]))])

    @property
    def minutes(self) -> list[int | None]:
        """For each copy, how long after the earliest known time it was published; None without a time."""
        start = min((one.by for one in self.copies if one.timed), default=0)
        return [one.by - start if one.timed else None for one in self.copies]

    @property
    def lead(self) -> tuple[Appearance, Appearance | None, int] | None:
        """The copy that was published first, the next one on another site that says so as exactly, and the
        minutes between them (without times, whole days); None if the pages do not say who was first.
        """
        first = next(iter(self.copies), None)
        if first is None or not first.dated:
            return None
        others = (one for one in self.copies if one.copy.site != first.copy.site)
        later = next((one for one in others if one.timed or (one.dated and not first.timed)), None)
        unit = 1 if first.timed else DAY_MINUTES
        ahead = (later.by // unit - first.by // unit) * unit if later else 0
        return (first, later, ahead) if ahead or not later else None


def _appearance(copy: Copy, record: Record) -> Appearance:
    by, dated = published_by(record), says_when(record) and published_minute(copy.date) is not None
    timed = dated and by == minute_of(copy.date) and len(copy.date or "") > len("2026-03-04")
    return Appearance(copy, record.first_seen, by, dated, timed)


def changes(texts: Mapping[str, str]) -> dict[str, Change]:
    """How texts differ from the first of them, by id; of each MAX_COMPARED_WORDS words are read."""
    return {id_: compare_texts(next(iter(texts.values())), text) for id_, text in list(texts.items())[1:]}


def compare_texts(first: str, text: str) -> Change:
    """How a text differs from the first one; of each MAX_COMPARED_WORDS words are read."""
    aligned = align(first, text, MAX_COMPARED_WORDS)
    sides = ([_figures(side) for side in (row.left, row.right)] for row in aligned.rows)
    pairs = (pair for old, new in sides if len(old) == len(new) for pair in zip(old, new, strict=True))
    cut, added = (words - aligned.common for words in aligned.words)
    return Change(cut, added, tuple(pair for pair in pairs if pair[0] != pair[1]))


def _figures(lines: Iterable[Iterable[Passage]]) -> list[str]:
    """The figures of which only one of the texts has some digits, as a whole: 86,000 where both have 000."""
    found = []
    for line in lines:
        text = "".join(part.text for part in line)
        own = "".join(("-" if part.common else "+") * len(part.text) for part in line)
        found += [match[0] for match in _FIGURE.finditer(text) if "+" in own[slice(*match.span())]]
    return found


def figures_of(text: str) -> frozenset[str]:
    """The figures of a text."""
    return frozenset(_FIGURE.findall(text))
