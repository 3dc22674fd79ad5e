"""A story as rules look at it: its members are read at once, texts only when a rule asks for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from functools import cached_property
from typing import Any

from dupgroups.engines import Engine
from dupgroups.engines.common import copy_of
from dupgroups.flow.explain.edits import read_edits
from dupgroups.flow.explain.sources import Source, Sources, read_sources
from dupgroups.flow.explain.spread import changes
from dupgroups.flow.publishers import domain_of, owner_of, unite_publishers
from dupgroups.grouping.heads import order_of
from dupgroups.grouping.publication_dates import published_by, says_when
from dupgroups.model import MINUTE_MICROSECONDS, Copy, Record

MAX_LISTED_PAGES = 20  # pages that an alert lists, in the order of their publication
MAX_SOURCED_PAGES = 100  # pages whose credits are read: so many of the first and as many of the last found
MAX_COMPARED_PAGES = 12  # pages whose figures are compared with those of the first, the last ones found


@dataclass(frozen=True, slots=True)
class Appeared:
    """A page: its host, or else its site (`site`), and by when it was published, in minutes since 1970."""

    id: str
    site: str
    minute: int


@dataclass(frozen=True, slots=True)
class ChangedFigure:
    """A figure that document `id` has (`now`) in place of another one (`was`), which it had itself before, or
    else that document `than` has.
    """

    id: str
    was: str
    now: str
    than: str = ""


class AlertedStory:
    """A story of an engine; `records` are its members, at least one, oldest first."""

    def __init__(self, engine: Engine, group: str, records: Sequence[Record]) -> None:
        self._engine, self.group, self.records = engine, group, records

    @cached_property
    def pages(self) -> list[Appeared]:
        """Its pages in the order of their publication, as far as it is known."""
        records = sorted(self.records, key=order_of("published"))
        sites = (record.host or self._find_copy(record.id).site.casefold() for record in records)
        named = zip(records, sites, strict=True)
        return [Appeared(record.id, site, published_by(record)) for record, site in named]

    @property
    def sites(self) -> int:
        """The number of different sites of its pages, as far as they are known."""
        return len({page.site for page in self.pages} - {""})

    def count_by(self, unit: str) -> list[tuple[int, str]]:
        """When each of its copies, sites, publishers or sources (`unit`) appeared, in that order."""
        if unit == "sources":
            names = {page.record.id: source.name for source in self.sources.found for page in source.pages}
        elif unit == "publishers":
            names = {id_: self.publishers[domain] for id_, domain in self.domains.items()}
        else:
            names = {page.id: page.site if unit == "sites" else page.id for page in self.pages}
        return [(page.minute, names[page.id]) for page in self.pages if names.get(page.id)]

    @cached_property
    def domains(self) -> dict[str, str]:
        """The registered domain of each page, or else its site, by id; "" if neither is known."""
        return {record.id: domain_of(record, self._find_copy(record.id)) for record in self.records}

    @cached_property
    def publishers(self) -> dict[str, str]:
        """The publisher of each domain but ""."""
        pages = ((domain, owner_of(self._find_copy(id_))) for id_, domain in self.domains.items())
        return unite_publishers(page for page in pages if page[0]) | {"": ""}

    # -- what takes texts

    @cached_property
    def sources(self) -> Sources:
        """The sources of its pages, at most MAX_SOURCED_PAGES of the first and of the last ones found: those
        between were among the last ones before.
        """
        ids = [record.id for record in self.records]
        return read_sources(
            self._engine, [*ids[:MAX_SOURCED_PAGES], *ids[MAX_SOURCED_PAGES:][-MAX_SOURCED_PAGES:]]
        )

    def order_sources(self) -> list[Source]:
        """Its sources, the one of which a page was found first at the beginning."""
        return sorted(self.sources.found, key=lambda one: min(page.record.age for page in one.pages))

    def credits_agency(self, id_: str) -> bool:
        """Whether a page credits an agency with its text."""
        return any(page.agency for page in read_sources(self._engine, [id_]).pages)

    def find_changed_figures(self) -> list[ChangedFigure]:
        """The figures that were changed in a page, as far as the engine keeps what it said before, and those
        that a page has in the place of others in the page that was published first.
        """
        edits = read_edits(self._engine, [record.id for record in self.records], {})
        changed = [ChangedFigure(edit.id, *pair) for edit in reversed(edits) for pair in edit.change.figures]
        first = self.pages[0].id
        later = [record.id for record in self.records if record.id != first][-MAX_COMPARED_PAGES:]
        texts = self._engine.texts([first, *later]) if later else {}
        known = {id_: texts[id_] for id_ in (first, *later) if id_ in texts} if first in texts else {}
        for id_, change in changes(known).items():
            changed += [ChangedFigure(id_, *pair, than=first) for pair in change.figures]
        return changed

    # -- what an alert says

    @cached_property
    def _copies(self) -> dict[str, Copy]:
        return {copy.id: copy for copy in self._engine.copies(self.group, limit=len(self.records))}

    def _find_copy(self, id_: str) -> Copy:
        """A page, also if the story was merged since its members were read."""
        if id_ not in self._copies:
            self._copies |= {id_: copy_of(one) for id_, one in self._engine.read([id_]).items()}
        return self._copies.get(id_) or Copy(id_, "", None, "", None, "")

    def describe(self) -> dict[str, Any]:
        """The story as plain values for JSON: its main copy, its numbers, when it was published and found
        first and last (ISO 8601, UTC, None if unknown), its first pages, and its sources if a rule asked for
        them.
        """
        head = next((record for record in self.records if record.is_head), self.records[0])
        shown = self.describe_page(head.id)
        dated = [published_by(record) * MINUTE_MICROSECONDS for record in self.records if says_when(record)]
        seen = [record.first_seen for record in self.records]
        sources = {"sources": [one.name for one in self.sources.found]} if "sources" in vars(self) else {}
        return {
            "group": self.group,
            "title": shown["title"],
            "url": shown["url"],
            "copies": len(self.records),
            "sites": self.sites,
            "publishers": len({*self.publishers.values()} - {""}),
            **sources,
            "first_published": _iso(min(dated, default=None)),
            "last_published": _iso(max(dated, default=None)),
            "first_seen": _iso(min(seen)),
            "last_seen": _iso(max(seen)),
            "pages": [self.describe_page(page.id) for page in self.pages[:MAX_LISTED_PAGES]],
        }

    def describe_page(self, id_: str) -> dict[str, Any]:
        """A page as plain values for JSON."""
        copy = self._find_copy(id_)
        return {name: getattr(copy, name) for name in ("id", "site", "title", "url", "date")}


def _iso(microseconds: int | None) -> str | None:
    if microseconds is None:
        return None
    return datetime.fromtimestamp(microseconds // 1_000_000, timezone.utc).isoformat()
