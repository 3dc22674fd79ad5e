"""How a story spread: its copies by the dates on their pages, with the crawl's clock beside them.

A page may say when it was published to the minute, only on which day, or not at all, and pages are wrong: a
date older than the web, or later than the day after the page was seen, does not count. No time of day is made
up for a copy that has none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from dupgroups.content.credits import agency
from dupgroups.engines.common import names_of
from dupgroups.engines.dates import day_of, has_time
from dupgroups.flow.explain.alignment import Passage, align
from dupgroups.grouping.heads import published_by, says_when
from dupgroups.model import MINUTE, Copy, Record

COMPARED = 12  # copies whose texts are compared with that of the first one
WORDS = 2_000  # words of a text that are compared

_FIGURE = re.compile(r"\d+(?:[.,:]\d+)*")


@dataclass(frozen=True, slots=True)
class Appearance:
    """A copy, when it was `seen` first (microseconds since 1970), and when it was `published` (ISO 8601, as
    its page says; None if it does not say so, or cannot be right). `minute`: that in minutes since 1970; None
    without a time of day.
    """

    copy: Copy
    seen: int
    published: str | None
    minute: int | None

    @classmethod
    def of(cls, copy: Copy, record: Record) -> Appearance:
        """The appearance of a stored copy."""
        said = copy.date if says_when(record) else None
        is_timed = has_time(said) and published_by(record) == record.published
        return cls(copy, record.first_seen, said, record.published if is_timed else None)


@dataclass(frozen=True, slots=True)
class Spread:
    """The copies of a story, the one that was published first coming first, as far as is known: see
    `grouping.heads`. `credit`: the agency or the author that they name, "" without any.
    """

    copies: tuple[Appearance, ...]
    credit: str = ""

    @classmethod
    def of(cls, copies: Iterable[tuple[Copy, Record]], texts: Iterable[str] = ()) -> Spread:
        """The spread of stored copies, of which these are some texts. Empty for none."""
        ordered = sorted(copies, key=lambda one: (published_by(one[1]), *one[1].age))
        return cls(tuple(Appearance.of(*one) for one in ordered), _credit([one for one, _ in ordered], texts))

    @property
    def minutes(self) -> list[int | None]:
        """For each copy, how long after the earliest known time it was published; None without a time."""
        known = [one.minute for one in self.copies if one.minute is not None]
        return [None if one.minute is None else one.minute - min(known) for one in self.copies]

    @property
    def first(self) -> Appearance | None:
        """The copy that was published first, of those with a time if its day has any; None if not known."""
        first = self.copies[0] if self.copies else None
        known = first and first.published and (first.minute is not None or not self.on_first_day())
        return first if known else None

    def others(self) -> list[Appearance]:
        """The copies on other sites than that of the first one, if they say when they were published."""
        sites = {one.copy.site for one in self.copies[:1]}
        return [one for one in self.copies if one.copy.site not in sites and one.published]

    def on_first_day(self) -> list[Appearance]:
        """Those of `others` that may have been first: published on the same day, without a time."""
        days = {day_of(one.published) for one in self.copies[:1]}
        return [one for one in self.others() if one.minute is None and day_of(one.published) in days]

    def arrivals(self) -> list[tuple[int, Appearance]]:
        """When each site had the story, earliest first, with the copy: by the times of publication (minutes
        since 1970) if at least two sites give one, else by when they were seen.
        """
        timed = [(one.minute, one) for one in self.copies if one.minute is not None]
        if len({one.copy.site for _, one in timed}) < 2:
            timed = [(one.seen // MINUTE, one) for one in self.copies]
        sites: dict[str, tuple[int, Appearance]] = {}
        for at, one in sorted(timed, key=lambda pair: pair[0]):
            sites.setdefault(one.copy.site or one.copy.id, (at, one))
        return list(sites.values())


def _credit(copies: Iterable[Copy], texts: Iterable[str]) -> str:
    """The agency that most datelines name, else the author of copies on most sites, two at least."""
    agencies = Counter(filter(None, map(agency, texts)))
    if agencies:
        return agencies.most_common(1)[0][0]
    bylines = {(copy.site, name) for copy in copies for name in names_of(copy.author)}
    sites = Counter(name for _, name in sorted(bylines))
    return next((name for name, count in sites.most_common(1) if count > 1), "")


@dataclass(frozen=True, slots=True)
class Change:
    """What a copy has not of the first one (`cut`), and has besides it (`added`), in words; and the figures
    that differ at the same place, each with the new one.
    """

    cut: int
    added: int
    figures: tuple[tuple[str, str], ...]


def change(first: str, text: str) -> Change:
    """How a text differs from the first one; of both WORDS words are read."""
    aligned = align(first, text, WORDS)
    sides = ([_figures(side) for side in (row.left, row.right)] for row in aligned.rows)
    pairs = (pair for old, new in sides if len(old) == len(new) for pair in zip(old, new, strict=True))
    before, after = (words - aligned.common for words in aligned.words)
    return Change(before, after, tuple(dict.fromkeys(pair for pair in pairs if pair[0] != pair[1])))


def _figures(lines: Iterable[Iterable[Passage]]) -> list[str]:
    """The figures that only one of the texts has."""
    parts = (part.text for line in lines for part in line if not part.common)
    return [figure for text in parts for figure in _FIGURE.findall(text)]
