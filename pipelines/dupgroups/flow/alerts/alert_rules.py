"""Rules of alerts in words, and what each finds in a story; what was told already is not asked here.

sites >= 5 within 24h       so many copies, sites, publishers or sources; `within` is optional
new source                  a text of another agency appears beside the first one
figure changed              a figure was changed in a copy, or a later copy contradicts the first one
copied from example.com     another publisher has a text that this site had first
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
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
    """A rule; `text` is its one spelling, by which is kept what it has told. `find` gives the findings in a
    story as it is now, told or not; there are none with less than so many copies or sites.
    """

    text: str
    find: Callable[[AlertedStory], Iterable[Finding]] = field(compare=False)
    least_copies: int = MIN_COUNTED
    least_sites: int = 0

    def may_find(self, copies: int, sites: int) -> bool:
        """Whether a story of so many copies on so many sites can have what the rule is about."""
        return copies >= self.least_copies and sites >= self.least_sites


def _find_sources(story: AlertedStory) -> Iterator[Finding]:
    """Each source. The first one is no news, but if the others stay and it is not the first any more, because
    stories were merged, it must not become any.
    """
    found = story.order_sources()
    for place, source in enumerate(found if len(found) > 1 else ()):
        yield Finding(source.name.casefold(), source.name, {"source": source.name}, is_news=place > 0)


def _find_figures(story: AlertedStory) -> Iterator[Finding]:
    """Each two figures once, in however many copies, and whichever of them others still say."""
    for one in story.find_changed_figures():
        details = {"figure": [one.was, one.now], "in": story.describe_page(one.id)}
        if one.than:
            details["than"] = story.describe_page(one.than)
        yield Finding(" ".join(sorted((one.was, one.now))), f"{one.was} -> {one.now}", details)


def _find_copiers(site: str, story: AlertedStory) -> Iterator[Finding]:
    """Each domain of another publisher with the text after the site, unless that credits an agency."""
    own = next((page for page in story.pages if f".{page.site}".endswith(f".{site}")), None)
    if own is None or story.credits_agency(own.id):
        return
    firsts: dict[str, Appeared] = {}
    for page in story.pages[story.pages.index(own) + 1 :]:
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
        return Rule(f"copied from {site}", partial(_find_copiers, site), least_sites=MIN_COUNTED)
    if found := {"new source": _find_sources, "figure changed": _find_figures}.get(said):
        return Rule(said, found)
    raise ConfigError(f"the rule {words!r} is not understood: write one such as {_RULE_EXAMPLES}")


def _count_rule(unit: str, least: str, number: str | None, time: str | None) -> Rule:
    """At least so many different copies, sites, publishers or sources, published within some time, or ever.
    Publishers are at most as many as sites, sources at most as many as copies.
    """
    needed = int(least)
    if needed < MIN_COUNTED:
        raise ConfigError(f"{unit} >= {least} matches every story: use {MIN_COUNTED} or more")
    within = f" within {int(number)}{time[0]}" if number and time else ""
    minutes = int(number) * UNIT_MINUTES[time[0]] if number and time else None
    copies, sites = (needed, 0) if unit in ("copies", "sources") else (0, needed)

    def find(story: AlertedStory) -> list[Finding]:
        return [Finding("")] * is_reached(story.count_by(unit), needed, minutes)

    return Rule(f"{unit} >= {needed}{within}", find, copies, sites)


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
