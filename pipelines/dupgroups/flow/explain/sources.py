"""Of how many sources a story is: which of its pages print whose text, and what says so.

The number fails towards fewer: all that is known of the pages of a story is that they are copies. Only
agencies that are credited make more sources than one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

from dupgroups.engines import Store
from dupgroups.engines.common import copy_of
from dupgroups.engines.story_credits import MIN_SAME_WORDS_SCORE, agencies_of
from dupgroups.flow.publishers import domain_of, owner_of, unite_publishers
from dupgroups.grouping.components import Components
from dupgroups.grouping.heads import order_of
from dupgroups.model import Copy, Document, Record
from dupgroups.text.agencies import Credit, find_credit
from dupgroups.text.batches import batches

BATCH_PAGES = 50  # documents that are read together
SOURCE_COLUMNS = ("id", "url", "publisher", "owner", "source", "credited", "place", "words", "like", "score")


@dataclass(frozen=True, slots=True)
class SourcedPage:
    """A page of a story, its registered domain, or else its site (`domain`), the company that owns it ("" if
    unknown), and whom it credits.
    """

    copy: Copy
    record: Record
    domain: str
    owner: str
    credit: Credit | None

    agencies: tuple[str, ...]
    """The agencies that it credits, the first one first."""

    @property
    def agency(self) -> str | None:
        """The first agency that it credits, None if it credits none."""
        return self.agencies[0] if self.agencies else None


@dataclass(frozen=True, slots=True)
class Source:
    """Whose text some pages print: the agency or the publisher that most of them credit, or else, if not
    `is_credited`, the site that published it first. `pages` are in the order of publication.
    """

    name: str
    is_credited: bool
    pages: Sequence[SourcedPage]


@dataclass(frozen=True, slots=True)
class Sources:
    """The sources of a story, the one with most pages first. `like`: the page of the same source that a page
    is tied to most, and the score, by id.
    """

    found: Sequence[Source]
    like: Mapping[str, tuple[SourcedPage, float]]

    @property
    def pages(self) -> list[SourcedPage]:
        """All pages of the story, by source."""
        return [page for source in self.found for page in source.pages]

    @property
    def publishers(self) -> int:
        """The number of publishers: sites of one owner are of one, and so are pages without a known one."""
        return len({*unite_publishers((page.domain, page.owner) for page in self.pages).values()})


def read_sources(store: Store, ids: Iterable[str], known: Mapping[str, Document] | None = None) -> Sources:
    """The sources of stored pages of one story. Those that are not `known` are read BATCH_PAGES at a time."""
    known = known or {}
    unread = batches((id_ for id_ in ids if id_ not in known), BATCH_PAGES)
    read = (document for some in unread for document in store.read(some).values())
    order = order_of("published")
    pages = map(_read_page, chain(known.values(), read))
    united = _UnitedPages(sorted(pages, key=lambda page: order(page.record)))
    united.join_named()
    united.join_tied()
    united.join_rest()
    return Sources(sorted(map(_source, united.clusters()), key=lambda one: -len(one.pages)), united.like)


def _read_page(document: Document) -> SourcedPage:
    content, record = document.content, document.record
    page = copy_of(document)
    domain = domain_of(record, page)
    credit = find_credit(content.text, content.author, content.site or "", domain, content.source)
    return SourcedPage(page, record, domain, owner_of(page), credit, agencies_of(credit))


class _UnitedPages:
    """Pages of one source, never of two agencies, unless credited together, or for the same words."""

    def __init__(self, pages: Sequence[SourcedPage]) -> None:
        self._pages = {page.record.id: page for page in pages}
        self._components = Components({id_: (at, "") for at, id_ in enumerate(self._pages)})
        self._agencies = {id_: page.agency for id_, page in self._pages.items() if page.agency}
        self.like: dict[str, tuple[SourcedPage, float]] = {}

    def _join(self, a: str, b: str, score: float = 0.0) -> None:
        agencies = [self._agencies.get(self._components.root(id_)) for id_ in (a, b)]
        credited = [self._pages[id_].agencies for id_ in (a, b)]
        same = score >= MIN_SAME_WORDS_SCORE and all(credited)
        same |= not set(credited[0]).isdisjoint(credited[1])
        if None in agencies or agencies[0] == agencies[1] or same:
            self._components.join(a, b)
            if agency := agencies[0] or agencies[1]:
                self._agencies[self._components.root(a)] = agency

    def join_named(self) -> None:
        """Unite the pages that credit one agency, then those that credit another name, those of the site of
        this name, and those of a publisher.
        """
        agencies, named = defaultdict(list), defaultdict(list)
        for id_, page in self._pages.items():
            for agency in page.agencies:
                agencies[agency].append(id_)
            credited = page.credit.name.casefold() if page.credit else ""
            for name in {credited, page.copy.site.casefold(), page.domain} - {""}:
                named[name].append(id_)
        for ids in [*agencies.values(), *named.values()]:
            for a, b in pairwise(ids):
                self._join(a, b)

    def join_tied(self) -> None:
        """Unite the pages that are tied to one another, the closest first."""
        pages = self._pages.items()
        ties = ((tie.score, id_, tie.other) for id_, page in pages for tie in page.record.ties)
        for score, a, b in sorted(ties, key=lambda tie: (-tie[0], *sorted(tie[1:]))):
            if b in self._pages:
                self._join(a, b, score)
                if self._components.root(a) == self._components.root(b):
                    self.like.setdefault(a, (self._pages[b], score))
                    self.like.setdefault(b, (self._pages[a], score))

    def join_rest(self) -> None:
        """Unite pages that credit no agency with the largest source that does, or else with one another."""
        sizes = Counter(map(self._components.root, self._pages))
        roots = [root for root, _ in sizes.most_common()]
        for root in roots[1:]:
            self._join(roots[0], root)  # unless both credit an agency

    def clusters(self) -> Iterable[list[SourcedPage]]:
        """The pages of each source."""
        found = defaultdict(list)
        for id_, page in self._pages.items():
            found[self._components.root(id_)].append(page)
        return found.values()


def _source(pages: Sequence[SourcedPage]) -> Source:
    agencies = Counter(page.agency for page in pages if page.agency)
    named = agencies or Counter(page.credit.name for page in pages if page.credit)
    first = pages[0].copy
    name = max(named, key=named.__getitem__, default=first.site or first.title or first.id)
    return Source(name, bool(named), pages)


def source_rows(sources: Sources) -> list[dict[str, Any]]:
    """The pages of a story by source, with SOURCE_COLUMNS: whose text each prints, and whom it credits, where
    and in which words; or, where it credits nobody, which page of its source it is `like`, with the score.
    """
    rows = []
    for source in sources.found:
        for page in source.pages:
            said, (like, score) = page.credit, sources.like.get(page.record.id, (None, None))
            about = (page.record.id, page.copy.url or "", page.domain, page.owner, source.name)
            why: tuple[Any, ...] = ("", "", "", like.record.id if like else "", score)
            if said:
                why = (said.name, said.place, said.words, "", None)
            rows.append(dict(zip(SOURCE_COLUMNS, (*about, *why), strict=True)))
    return rows
