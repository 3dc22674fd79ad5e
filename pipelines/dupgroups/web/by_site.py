"""The copies of a story by site, and what tells those of one site apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dupgroups.model import Copy
from dupgroups.presentation.dates import clock, day, moment
from dupgroups.web.parameters import path_of


@dataclass(frozen=True, slots=True)
class SiteCopies:
    """The copies of a story on one site, oldest first; `site` is "" if it is unknown."""

    site: str
    copies: tuple[Copy, ...]

    @property
    def labels(self) -> list[str]:
        """What tells the copies apart, one text a copy: the time, or else the path, the URL, or a number."""
        if _tell_apart([moment(copy.date) for copy in self.copies]):
            return _without_repeated_days(self.copies)
        paths = [path_of(copy.url) for copy in self.copies]
        urls = [copy.url or "" for copy in self.copies]
        numbers = [str(number) for number in range(1, len(self.copies) + 1)]
        return next(filter(_tell_apart, (paths, urls)), numbers)


def _tell_apart(labels: Sequence[str]) -> bool:
    return all(labels) and len(set(labels)) == len(labels)


def _without_repeated_days(copies: Sequence[Copy]) -> list[str]:
    """The moments of the copies; after one of the same day, only the time."""
    before = [None, *(day(copy.date) for copy in copies)]
    return [
        clock(copy.date) if day(copy.date) == previous and clock(copy.date) else moment(copy.date)
        for copy, previous in zip(copies, before, strict=False)
    ]


def by_site(copies: Iterable[Copy]) -> list[SiteCopies]:
    """The copies by site, in the order of the first copy of each site."""
    sites: dict[str, list[Copy]] = {}
    for copy in copies:
        sites.setdefault(copy.site, []).append(copy)
    return [SiteCopies(site, tuple(members)) for site, members in sites.items()]
