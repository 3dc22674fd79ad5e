"""The interface of every store: one small, synchronous protocol that takes batches.

The contract, which `tests/engines` checks on every engine:

* after `put` returns, the next `candidates`, `get`, `members` and `resolve` of the same object see what it
  wrote (an engine whose index refreshes later keeps its own writes visible); writes of other processes are
  visible after `refresh` at the latest;
* `put` is idempotent; every list is returned in the order of its argument;
* `candidates` are ordered by the number of shared keys (most first), then by id, and never include a document
  of another scheme;
* a document is shown under the site name that it declares, counted and filtered under its host (the search
  takes the name, too), each under the other if it lacks one;
* in a text, a character that UTF-8 cannot encode (a lone surrogate) is replaced when stored; an id with such
  a character is a failure of that document;
* temporary failures are retried internally, with a bounded back-off; then `EngineError` names the ids that
  failed, and all other documents of the call are stored.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar, cast, runtime_checkable

from dupgroups.model import (
    Check,
    Copy,
    Correction,
    Document,
    Membership,
    Query,
    Record,
    Results,
    Revision,
    Seen,
    Signature,
    Statistics,
    StoryOrder,
    StoryRecord,
)
from dupgroups.model.field_names import Fields

MAX_FACETS = 20  # maximum number of values of a facet in a search result
MAX_WINDOW_HITS = 10_000  # maximum of `offset + limit`; a cursor goes deeper
# results of which an engine counts stories, facets and histogram, if it does not count all
MAX_COUNTED_HITS = 10_000
MAX_REVISIONS = 100  # earlier texts of a document that an engine keeps, the latest
MAX_SORTED_HITS = 10_000  # matches that an engine sorts in collapse mode, if it does not sort all


@dataclass(frozen=True, slots=True)
class Backlog:
    """`records`: stored records in batches, each read when it is iterated. `mark`: the store's own note of
    how far the backlog reaches.
    """

    records: Iterable[Sequence[Record]] = ()
    mark: object = None


class Store(Protocol):
    """A store as the flow needs it: documents by id, records by key and by group, and writes that merge
    groups."""

    @property
    def name(self) -> str:
        """The URL of the engine without secrets, for messages."""

    @property
    def retries(self) -> int:
        """How often a request was sent again because the store was busy or away; 0 if it is a file."""

    def get(self, ids: Sequence[str]) -> dict[str, Record]:
        """The stored records of these ids; unknown ids are absent."""

    def read(self, ids: Sequence[str]) -> dict[str, Document]:
        """The stored documents of these ids, including their content; unknown ids are absent."""

    def explain_refusal(self, document: Document) -> str:
        """Why it can never store this document, in a sentence; "" if it can."""

    @property
    def keeps_text(self) -> bool:
        """Whether it keeps the texts that were signed; not if another tool keeps html there."""

    def texts(self, ids: Sequence[str]) -> dict[str, str]:
        """The texts of these documents with their titles (`text.facts.join_title`), in one request; unknown
        ids are absent. {} if it keeps none.
        """

    def candidates(self, signatures: Sequence[Signature], *, limit: int) -> list[list[Record]]:
        """For each signature at most `limit` records that share enough keys with it, as many as it says
        (`Signature.shared_keys`); [] for one without keys.
        """

    def members(self, groups: Sequence[str], *, limit: int | None = None) -> dict[str, list[Record]]:
        """The members of each group, oldest first; [] for a group without members. With a `limit` at most so
        many of each group, the oldest of those that are visible, without reading the others.
        """

    def heads(self, groups: Sequence[str]) -> dict[str, list[Record]]:
        """The members of each group that are its head, by id: one, unless a writer has died or is writing."""

    def resolve(self, groups: Sequence[str]) -> dict[str, str]:
        """The current id of each group: its own, or that of the group that it was merged into."""

    def version(self) -> object:
        """Changes whenever anybody writes documents; constant if single documents have versions."""

    def put(
        self,
        documents: Sequence[Document],
        *,
        moves: Mapping[str, str] | None = None,
        labels: Mapping[str, str] | None = None,
        heads: Mapping[str, str] | None = None,
        seen: Seen | None = None,
    ) -> None:
        """Merge groups (`moves`, losers to winners), set the groups of stored documents (`labels`, by id),
        then store documents by id, replacing older versions.

        A move relabels every stored member of the losing group and keeps a redirect from the losing id to
        the winner; if the winner has been merged away itself, its redirect is followed. Labels and documents
        are written after the moves, exactly as given; a document whose group is its own id ends a redirect
        from that id (its group exists again). A document that is written becomes the head of its group if
        `heads` says so by the group, or if the group is not in there and named by it; else it is no head.
        Everything that is not written stays as it is. All of it is one transaction if the store has
        transactions; otherwise redirects are written first and documents last, so that `backlog` can
        recognize what an interrupted call left incomplete.

        `seen` are the versions that this is based on: raises ConflictError if another writer has changed
        them.
        """

    def backlog(self) -> Backlog:
        """Records written since the last settling: they may be in the wrong group and are checked again."""

    def mark_settled(self, backlog: Backlog) -> None:
        """Note that a backlog has been processed: `backlog` never returns it again."""

    def touch(self, ids: Sequence[str], last_seen: int) -> None:
        """Set `last_seen` (microseconds since 1970) of these documents; unknown ids are ignored."""

    def delete(self, ids: Sequence[str]) -> None:
        """Delete these documents; unknown ids are ignored."""

    def corrections(self, *, fresh: bool = False) -> Sequence[Correction]:
        """The log of corrections, by number; () for none. The same object as long as nothing is new.

        Entries of other processes are in it at once, or, where a look-up would cost a request, since this
        object first asked; `fresh` reads it again.
        """

    def correct(self, entry: Correction) -> None:
        """Add an entry to the log. Raises ConflictError, without `ids`, if its number is taken."""

    def mark_corrected(self, number: int) -> None:
        """Note that an entry has been carried out."""

    def refresh(self) -> None:
        """Make everything visible that any process has written so far."""

    def close(self) -> None:
        """Release files and connections; a second call does nothing."""


class Engine(Store, Protocol):
    """A store that can also be scanned, searched with one hit per group, and checked."""

    def scan(self, *, after: str | None = None) -> Iterator[Document]:
        """All documents ordered by id, beginning after the id `after`."""

    def memberships(self) -> Iterator[Membership]:
        """The group of every document, ordered by group; in a group the oldest member first."""

    def search(self, query: Query) -> Results:
        """One page of results.

        Every word and phrase of `query.text`, as `text.query_syntax` parses it, must occur in the title or
        the text (one of them, if `query.any_word`); a word in the title counts three times. Hits are ordered
        by BM25 (best first; not if `query.sort` is "date"), then by date (newest first: `date`, `last_seen`),
        then by id; stories sorted by "copies", by the number of members that match, most first, then by group
        as it is stored. A blank query finds everything, newest first; a query without any word ("?!") finds
        nothing. Documents without text are found in the mode `all` only. `language` and `site` must match
        exactly, `author` must be one complete name, the day of the date in UTC must lie between `since` and
        `until`. Facets count stories in the modes collapse and head, documents in mode `all`, with all
        filters applied; a facet has at most `MAX_FACETS` values, most frequent first, then by value. The
        histogram counts documents, with all filters applied. Of very many matches an engine may count and
        sort less than all, and says so (`Results`). Raises InputError for a query that cannot be parsed or
        asks for too much, and for a cursor that this engine did not issue.
        """

    def similar_word(self, word: str) -> str | None:
        """The word of the documents that is spelt most like this one, with the same first two letters; None
        if a document has this one, or none is alike: one letter in up to five, or two, may differ.
        """

    def redirects(self) -> Iterator[tuple[str, str]]:
        """The names of groups that were merged away, each with the group that it leads to now. From here on
        `former_names` knows them.
        """

    def former_names(self, group: str, *, limit: int = 100) -> list[str]:
        """At most `limit` names of groups that lead to this group, sorted; [] for an unknown group.

        A cluster answers as of the last refresh of its redirects, which `redirects` and settling do.
        """

    def copies(self, group: str, *, limit: int = 100) -> list[Copy]:
        """The members of a group for display, oldest first."""

    def revisions(self, ids: Sequence[str]) -> dict[str, list[Revision]]:
        """The earlier texts of these documents, the latest first; a document that was not
        changed is absent. {} if the store keeps none.
        """

    def stories(
        self, *, order: StoryOrder = "copies", since: int | None = None, limit: int = 100
    ) -> list[StoryRecord]:
        """At most `limit` stories, those with most of `order` first, then those with most copies, then by
        name; by a date of publication those without one come last.

        With `since` (microseconds since 1970) only those of which a copy was published then or later; a story
        without any date counts as published when its last copy was seen. A cluster answers as of the last
        refresh of the records, a second ago.
        """

    def changed_stories(self, after: object = None, *, limit: int = 1000) -> tuple[list[StoryRecord], object]:
        """At most `limit` records that changed after a mark, the earliest change first, and the mark up to
        which they go; without changes [] and the mark as it was.

        A mark is a JSON value of this engine; None, and a mark of a store that was made anew, stand for the
        beginning. A record changes when a member comes, goes, or is stored anew, which may have another text
        then; when it changed several times, it is told once, as it is. A group that is no story any
        longer is told with less than two copies; `resolve` knows where it went.
        """

    def count_stories(self) -> None:
        """Count the stories anew from all documents, and correct the records that differ: for what another
        program wrote, or an earlier version.
        """

    def find_gone(self) -> Iterator[list[str]]:
        """The ids, some at a time, of documents that are gone, and of which earlier texts are kept all the
        same: other tools deleted them.
        """

    def count_outdated(self, schemes: Collection[str]) -> int:
        """The number of documents whose signatures have none of these schemes; 0 for an empty store."""

    def statistics(self) -> Statistics:
        """The figures of the index from counts, without reading its documents: some seconds for a million.

        A cluster answers as of its last refresh. With several shards its sizes of groups are estimates.
        """

    def check(self) -> list[Check]:
        """The checks that `dup-groups doctor` prints about this store."""

    def __enter__(self) -> Engine:
        """The engine, which is closed at the end of the block."""

    def __exit__(self, *error: object) -> None: ...


Opened = TypeVar("Opened", bound="Block")


class Block:
    """The part of a store that makes it end with its block, and show its URL."""

    def __enter__(self: Opened) -> Opened:
        return self

    def __exit__(self, *error: object) -> None:
        cast(Store, self).close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({cast(Store, self).name!r})"


@runtime_checkable
class AdoptableEngine(Protocol):
    """An engine whose URL may name an index that other tools filled."""

    def is_external(self) -> bool:
        """Whether another tool created the index."""

    def refusal(self) -> str:
        """Why a crawl cannot store pages in the index, in a sentence; "" if it can."""

    def kept_fields(self) -> Fields | None:
        """The field map that is kept with the index since it was adopted; None for any other index."""

    def made_indices(self) -> Mapping[str, str]:
        """The names of the indices that dup-groups has made behind the name in the URL and beside them, each
        with what it holds; also what is left of indices that are gone.
        """

    def remove_made_indices(self) -> None:
        """Delete them, with former names of groups and corrections. Documents of other tools stay."""
