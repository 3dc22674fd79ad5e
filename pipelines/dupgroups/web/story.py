"""A group as its page shows it: the copies by site, when each was seen, and why the group has its name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from dupgroups.model import Copy, Record
from dupgroups.web.addresses import path_of
from dupgroups.web.dates import clock, day, instant, moment, span


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


@dataclass(frozen=True, slots=True)
class Story:
    """The copies of a group, oldest first; when they were first seen, by id; and its former names."""

    group: str
    copies: tuple[Copy, ...]
    first_seen: Mapping[str, str | None]
    reason: str
    former_names: tuple[str, ...] = ()

    @property
    def sites(self) -> list[SiteCopies]:
        """The copies by site."""
        return by_site(self.copies)

    @property
    def head(self) -> Copy | None:
        """The copy after which the group is named; None if it is not among the copies."""
        return next((copy for copy in self.copies if copy.id == self.group), None)


def story(
    group: str, copies: Sequence[Copy], records: Mapping[str, Record], former_names: Sequence[str]
) -> Story:
    """The story of a group from its copies, oldest first, and their records by id."""
    ages = {copy.id: records[copy.id].first_seen for copy in copies if copy.id in records}
    first_seen = {id_: instant(age) for id_, age in ages.items()}
    return Story(group, tuple(copies), first_seen, _reason(group, ages), tuple(former_names))


def _reason(group: str, ages: Mapping[str, int]) -> str:
    """Why the head is the head, as the end of a sentence; "" if it is not among the copies."""
    if group not in ages:
        return ""
    later = min((age for id_, age in ages.items() if id_ != group), default=None)
    if later is None:
        return "it is the only copy"
    if later == ages[group]:
        return "it was seen at the same time as another copy, and its id comes first"
    return f"it was seen first, {span(later - ages[group])} before the next one"
