"""Rules of alerts in words, and what each finds in a story; what was told already is not asked here.

sites >= 5 within 24h       so many copies, sites, publishers or sources; `within` is optional
new source                  a text of another agency appears beside the first one
figure changed              a figure was changed in a copy, or a later copy contradicts the first one
copied from example.com     another publisher has a text that this site had first
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dupgroups.errors import ConfigError
from dupgroups.flow.alerts.alerted_story import AlertedStory, Appeared

UNIT_MINUTES = {"m": 1, "h": 60, "d": 24 * 60}  # minutes
MIN_COUNTED = 2  # a story has two copies
_COUNT_WORDS = re.compile(
    r"(copies|sites|publishers|sources)\s*>=\s*(\d+)"
    r"(?:\s+within\s+(\d+)\s*(m|h|d|min|minutes?|hours?|days?))?"
)
_COPIED_WORDS = re.compile(r"copied from ([\w.-]+\.\w+)")
_RULE_EXAMPLES = "'sites >= 5 within 24h', 'new source', 'figure changed' or 'copied from example.com'"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a rule found in a story. `key` tells it from all else that this rule finds in the same
    story, `said` is a word or two for people, `details` describe it. Not `is_news`: it is kept with what is
    told, but not told itself.
    """

    key: str
    said: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
    is_news: bool = True


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule; `text` is its one spelling, by which is kept what it has told."""

    text: str

    def may_find(self, copies: int, sites: int) -> bool:
        """Whether a story of so many copies on so many sites can have what the rule is about."""
        return copies >= MIN_COUNTED

    def find(self, story: AlertedStory) -> Iterable[Finding]:
        """The findings in the story as it is now, told or not."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class CountRule(Rule):
    """At least so many different copies, sites, publishers or sources (`unit`), published within so many
    minutes; None for any time."""

    unit: str
    least: int
    minutes: int | None

    def may_find(self, copies: int, sites: int) -> bool:
        """Publishers are at most as many as sites, sources at most as many as copies."""
        return self.least <= (copies if self.unit in ("copies", "sources") else sites)

    def find(self, story: AlertedStory) -> Iterable[Finding]:
        """One finding, or none."""
        return [Finding("")] * is_reached(story.count_by(self.unit), self.least, self.minutes)


@dataclass(frozen=True, slots=True)
class SourceRule(Rule):
    """A source besides the one whose text was found first."""

    def find(self, story: AlertedStory) -> Iterator[Finding]:
        """Each source. The first one is no news, but if the others stay and it is not the first any more,
        because stories were merged, it must not become any.
        """
        found = story.order_sources()
        for place, source in enumerate(found if len(found) > 1 else ()):
            details = {"source": source.name}
            yield Finding(source.name.casefold(), source.name, details, is_news=place > 0)


@dataclass(frozen=True, slots=True)
class FigureRule(Rule):
    """A figure that is another one later: each two figures once, in however many copies, and whichever of
    them others still say.
    """

    def find(self, story: AlertedStory) -> Iterator[Finding]:
        """Each change of a figure."""
        for one in story.find_changed_figures():
            details = {"figure": [one.was, one.now], "in": story.describe_page(one.id)}
            if one.than:
                details["than"] = story.describe_page(one.than)
            yield Finding(" ".join(sorted((one.was, one.now))), f"{one.was} -> {one.now}", details)


@dataclass(frozen=True, slots=True)
class CopiedRule(Rule):
    """Another publisher has a text after `site`, which credits no agency for it."""

    site: str

    def may_find(self, copies: int, sites: int) -> bool:
        """Two sites at least."""
        return sites >= MIN_COUNTED

    def find(self, story: AlertedStory) -> Iterator[Finding]:
        """Each domain of another publisher that has the text after the site, by its first page."""
        own = next((page for page in story.pages if f".{page.site}".endswith(f".{self.site}")), None)
        if own is None or story.credits_agency(own.id):
            return
        later = story.pages[story.pages.index(own) + 1 :]
        firsts: dict[str, Appeared] = {}
        for page in later:
            firsts.setdefault(story.domains[page.id], page)
        publisher = story.publishers[story.domains[own.id]]
        for domain, page in firsts.items():
            if domain and story.publishers[domain] != publisher:
                details = {"copied": story.describe_page(own.id), "by": story.describe_page(page.id)}
                yield Finding(domain, domain, details)


def parse_rule(words: str) -> Rule:
    """The rule in these words, in any case and spacing. Raises ConfigError for any others."""
    said = " ".join(words.lower().split())
    if match := _COUNT_WORDS.fullmatch(said):
        return _count_rule(*match.groups())
    if match := _COPIED_WORDS.fullmatch(said):
        site = match[1].removeprefix("www.")
        return CopiedRule(f"copied from {site}", site)
    if said == "new source":
        return SourceRule(said)
    if said == "figure changed":
        return FigureRule(said)
    raise ConfigError(f"the rule {words!r} is not understood: write one such as {_RULE_EXAMPLES}")


def _count_rule(unit: str, least: str, number: str | None, time: str | None) -> CountRule:
    if int(least) < MIN_COUNTED:
        raise ConfigError(f"{unit} >= {least} matches every story: use {MIN_COUNTED} or more")
    within = f" within {int(number)}{time[0]}" if number and time else ""
    minutes = int(number) * UNIT_MINUTES[time[0]] if number and time else None
    return CountRule(f"{unit} >= {int(least)}{within}", unit, int(least), minutes)


def is_reached(times: Sequence[tuple[int, str]], least: int, minutes: int | None) -> bool:
    """Whether there are so many different names within so many minutes, both ends included, at any time, or
    at all with None. `times` are (minutes since 1970, name) in their order.
    """
    inside: Counter[str] = Counter()
    begin = 0
    for now, name in times:
        inside[name] += 1
        while minutes is not None and times[begin][0] < now - minutes:
            inside -= Counter([times[begin][1]])
            begin += 1
        if len(inside) >= least:
            return True
    return False
