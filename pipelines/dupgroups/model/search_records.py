"""What is asked of an index, and what it answers: searches, figures and checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True)
class Copy:
    """A member of a group as a search shows it."""

    id: str
    title: str
    url: str | None
    site: str
    date: str | None
    language: str
    author: str = ""
    image: str | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """One story in a search result: the member that is shown, and the others ("also from").

    `size` counts all members of the group, `sites` their different sites (a member whose site is unknown adds
    none); `copies` holds the first few others. `snippet` is plain text with the matching words between
    U+E000 and U+E001 (escape first, then turn these into tags). `matching`: how many members match, if the
    hits are sorted by that, else 0.
    """

    group: str
    shown: Copy
    size: int
    copies: tuple[Copy, ...] = ()
    snippet: str = ""
    sites: int = 1
    matching: int = 0

    @property
    def sources(self) -> tuple[str, ...]:
        """Sites of the other copies, each once, in order: the "also from" line."""
        return tuple(
            dict.fromkeys(copy.site for copy in self.copies if copy.site not in ("", self.shown.site))
        )

    @property
    def more_sites(self) -> int:
        """The number of sites besides the shown one and `sources`: "and 20 more"."""
        return max(0, self.sites - bool(self.shown.site) - len(self.sources))


@dataclass(frozen=True, slots=True)
class Facet:
    """A value of `language` or `site`, and the number of results that have it.

    A site is a host; `name` is the one that most of its documents give it, "" if none does.
    """

    value: str
    count: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class Period:
    """A day, month or year of a histogram, from its first to its last day (ISO 8601), and the number of
    matching documents whose date is in it."""

    since: str
    until: str
    count: int


Sort = Literal["relevance", "date", "copies"]
"""The order of hits: best first, or newest first. Without words to search for, both are newest first."""

SearchMode = Literal["collapse", "head", "all"]
"""`collapse`: best member of each group for this query. `head`: only the head of each group is
searched; totals and facets are exact, deep paging works. `all`: every document is a hit of its own."""


@dataclass(frozen=True, slots=True)
class Query:
    """A search. `text` "" finds everything, newest first. `copies`: the maximum number of `Hit.copies`.

    Every word of the text (`text.query_syntax`) must occur in a document, or with `any_word` one of them.
    `since` and `until` are the first and the last day (ISO 8601, in UTC) of the dates that are searched.

    `cursor` continues after the last hit of a page (`Results.cursor`; modes `head` and `all`), at any depth;
    `offset` skips hits, with `offset + limit` <= 10,000. `sort` "copies" needs the mode `collapse`.
    """

    text: str = ""
    mode: SearchMode = "collapse"
    limit: int = 10
    offset: int = 0
    copies: int = 3
    language: str | None = None
    site: str | None = None
    author: str | None = None
    cursor: str | None = None
    any_word: bool = False
    since: str | None = None
    until: str | None = None
    sort: Sort = "relevance"


@dataclass(frozen=True, slots=True)
class Results:
    """A page of search results. `stories` counts groups, in head mode by their heads (a group has two of them
    when a writer died, until the next settle); `documents` counts the matching documents.

    `exact` says whether `stories` is exact (always in head mode; on a cluster collapse counts above 1,000
    documents are estimates).
    `facets` has "language" and "site", most frequent first; `cursor` is None on the last page. `histogram`
    counts the matching documents by day, month or year, in order, without the periods that have none.

    An engine may count less of very many matches. If not `complete`, facets, histogram and, except in head
    mode, `stories` are those of the first 10,000 documents (`COUNTED`) in the order of the hits, so there may
    be more. If not `all_sorted` (in collapse mode), the hits are the first of the 10,000 documents (`SORTED`)
    that were stored last; `documents` is that number, and more match.
    """

    hits: tuple[Hit, ...]
    stories: int
    documents: int
    exact: bool = True
    facets: Mapping[str, tuple[Facet, ...]] = field(default_factory=dict)
    cursor: str | None = None
    histogram: tuple[Period, ...] = ()
    complete: bool = True
    all_sorted: bool = True


@dataclass(frozen=True, slots=True)
class Check:
    """One line of `dup-groups doctor`: what was checked, whether it is all right, and what to do if not."""

    name: str
    ok: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Statistics:
    """What an index holds, in figures.

    `sizes` is the number of groups by the number of their members, `sites` the number of different sites
    (a document whose site is unknown adds none), `largest_sites` those with the most documents. `redirects`
    counts the former names of groups, `unsettled` the operations on the index that no settling has looked
    at (None if the user may not see how far the index is written). `last_seen` is when a document was last
    stored or seen again, in microseconds since 1970; 0 for an empty index.
    """

    documents: int = 0
    sizes: Mapping[int, int] = field(default_factory=dict)
    sites: int = 0
    largest_sites: tuple[Facet, ...] = ()
    redirects: int = 0
    unsettled: int | None = 0
    last_seen: int = 0

    @property
    def groups(self) -> int:
        """The number of groups."""
        return sum(self.sizes.values())

    @property
    def states(self) -> dict[str, int]:
        """Documents that are `alone` in their group, the `first` of a group of several, or a `copy`."""
        alone = self.sizes.get(1, 0)
        copies = sum((size - 1) * groups for size, groups in self.sizes.items())
        return {"alone": alone, "first": self.groups - alone, "copy": copies}
