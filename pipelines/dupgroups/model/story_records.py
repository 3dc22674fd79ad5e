"""The figures of every story, by which stories are sorted and filtered without their documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

StoryOrder = Literal["copies", "sites", "sources", "last_published", "last_seen"]
"""The figure by which stories are sorted, the largest first."""

MIN_STORY_COPIES = 2  # members of a group that is a story
_HOUR_MICROSECONDS = 3_600_000_000


@dataclass(frozen=True, slots=True)
class StoryRecord:
    """The figures of a group of at least two documents.

    A follower of changes also meets the records of groups that are no story any longer, because they were
    merged away, or lost their members: they have less than two copies.
    """

    group: str
    """The name of the group."""
    copies: int
    """The number of its members, the head included; 0 or 1 if it is no story any longer."""
    sites: int
    """The number of different sites of its members; a member whose site is unknown adds none."""
    first_published: int | None
    """The earliest date of publication of a member, in microseconds since 1970; None if none has a date. A
    day without a time counts as its last minute, as in `Record.published`."""
    last_published: int | None
    """The latest one."""
    first_seen: int
    """When the oldest member was first stored, in microseconds since 1970; 0 without members."""
    last_seen: int
    """When the youngest member was first stored: a page that comes again is no news of its story."""
    languages: tuple[str, ...] = ()
    """The language codes of its members, sorted; () if none is known."""
    sources: int = 1
    """Of how many independent sources it is, by the agencies that its oldest 200 members credit: at least one
    (docs/how-to/sources.md)."""
    agencies: tuple[str, ...] = ()
    """These agencies, that of most members first; () if none is credited."""

    @property
    def is_story(self) -> bool:
        """Whether the group still has several members."""
        return self.copies >= MIN_STORY_COPIES

    @property
    def growth(self) -> float:
        """The copies after the first for each hour in which they were seen, of which there is at least one: a
        crawl may store a whole day in a minute. 0 for what is no story.
        """
        hours = max(1.0, (self.last_seen - self.first_seen) / _HOUR_MICROSECONDS)
        return max(0, self.copies - 1) / hours
