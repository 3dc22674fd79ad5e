"""Questions to an index, and its answers: searches, figures and checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
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
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """One story in a search result: the member that is shown, and the others ("also from")."""

    group: str
    """The name of the group."""
    shown: Copy
    """The member that is shown."""
    size: int
    """The number of all members of the group."""
    copies: tuple[Copy, ...] = ()
    """The first few other members."""
    snippet: str = ""
    """Plain text with the matching words between U+E000 and U+E001: escape it first, then turn these into
    tags. "" without words."""
    sites: int = 1
    """The number of different sites of all members; a member whose site is unknown adds none."""
    matching: int = 0
    """The number of members that match the query, if hits are sorted by that; else 0."""

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
"""`collapse`: one member of each group, its head if that matches; newest first, the newest that matches.
`head`: only the head of each group is searched; totals and facets are exact, deep paging works. `all`: every
document is a hit of its own."""


@dataclass(frozen=True, slots=True)
class Query:
    """A search. Empty text finds everything, the newest first."""

    text: str = ""
    """Words and phrases (`text.query_syntax`) that a document must contain; "" finds everything."""
    mode: SearchMode = "collapse"
    """What counts as a hit: a group, a group whose head matches, or every document."""
    limit: int = 10
    """The maximum number of hits on the page, 1 to 1000."""
    offset: int = 0
    """The number of hits to skip; `offset + limit` is at most 10,000."""
    copies: int = 3
    """The maximum number of `Hit.copies`."""
    language: str | None = None
    """Only documents in this language (two-letter code); None for all."""
    site: str | None = None
    """Only documents from this host; None for all."""
    author: str | None = None
    """Only documents by this author; None for all."""
    cursor: str | None = None
    """The `Results.cursor` of the previous page: continues after it at any depth, in the modes `head` and
    `all`."""
    any_word: bool = False
    """Whether one of the words is enough; otherwise every word must occur."""
    since: str | None = None
    """The first day of publication, ISO 8601 in UTC; None without a limit."""
    until: str | None = None
    """The last day of publication, inclusive; None without a limit."""
    sort: Sort = "relevance"
    """Best first, newest first, or by "copies" those with most matching members first (only in mode
    `collapse`); without words, best first is newest first."""


@dataclass(frozen=True, slots=True)
class Results:
    """One page of search results. An engine may count fewer of very many matches: see `complete` and
    `all_sorted`."""

    hits: tuple[Hit, ...]
    """The hits of this page, in order; () if nothing matches."""
    stories: int
    """The number of groups among the matches; in mode `head` of their main copies (a group has two when a
    writer died, until the next regrouping)."""
    documents: int
    """The number of matching documents."""
    exact: bool = True
    """Whether `stories` is exact: always in mode `head`; in mode `collapse` a cluster estimates it."""
    facets: Mapping[str, tuple[Facet, ...]] = field(default_factory=dict)
    """The values of "language" and "site" with their counts, most frequent first."""
    cursor: str | None = None
    """Continues after this page (`Query.cursor`); None on the last page."""
    histogram: tuple[Period, ...] = ()
    """Matching documents by day, month or year, in order, without empty periods."""
    complete: bool = True
    """False if facets, histogram and, except in mode `head`, `stories` count only the first 10,000 documents
    (`COUNTED`) in the order of the hits."""
    all_sorted: bool = True
    """False if, in mode `collapse`, the hits come from the 10,000 documents (`SORTED`) that were stored last;
    `documents` is that number then, and more match."""
    only_titles: bool = False
    """Whether words were looked for in titles alone: the text of an adopted index is in no field that can be
    searched."""

    def _repr_html_(self) -> str:
        """The hits as a table, in a notebook."""
        shown = [
            (hit.size, hit.shown.site, hit.shown.date, hit.shown.title, hit.shown.id) for hit in self.hits
        ]
        rows = [("copies", "site", "date", "title", "id"), *shown]
        cells = ("".join(f"<td>{escape(str(cell or ''))}</td>" for cell in row) for row in rows)
        return f"<table><tr>{'</tr><tr>'.join(cells)}</tr></table>"


@dataclass(frozen=True, slots=True)
class Check:
    """One line of `dup-groups doctor`: what was checked, whether it is all right, and what to do if not."""

    name: str
    ok: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Statistics:
    """The contents of an index, in figures."""

    documents: int = 0
    """The number of documents."""
    sizes: Mapping[int, int] = field(default_factory=dict)
    """The number of groups by the number of their members."""
    sites: int = 0
    """The number of different sites; a document whose site is unknown adds none."""
    largest_sites: tuple[Facet, ...] = ()
    """The sites with the most documents, the largest first."""
    redirects: int = 0
    """The number of former group names that lead to another group."""
    unsettled: int | None = 0
    """Operations on the index that no regrouping has looked at; None if the user may not see how far the
    index is written."""
    last_seen: int = 0
    """When a document was last stored or came again, in microseconds since 1970; 0 for an empty index."""

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
