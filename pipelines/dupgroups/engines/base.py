"""The door to every store: one small, synchronous protocol that takes batches.

The contract, which `tests/engines` checks on every engine:

* what `put` returned from is seen by the next `candidates`, `get`, `members` and `resolve` of the same object
  (an engine whose index refreshes later keeps its own writes in view); what other processes wrote is seen
  after `refresh` at the latest;
* `put` twice is once; every list comes back in the order of what was asked;
* `candidates` are ordered by shared keys (most first), then id, and never hold a document of another scheme;
* a document is shown, counted and filtered under the site that it names itself, else under its host;
* a text that UTF-8 cannot hold (a lone surrogate) is stored with the character replaced, an id that it cannot
  hold is a failure of that document;
* temporary failures are retried inside, with back-off and bounded; then `EngineError` tells which ids failed,
  and every other document of the call is stored.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from dupgroups.model import Check, Copy, Document, Query, Record, Results, Seen, Signature

FACETS = 20  # values of a facet that a search brings along
WINDOW = 10_000  # how deep `offset + limit` may reach; a cursor goes deeper


@dataclass(frozen=True, slots=True)
class Backlog:
    """`records`: stored ones, some at a time, as they are when they are asked for. `mark`: the store's own
    note of how far this goes.
    """

    records: Iterable[Sequence[Record]] = ()
    mark: object = None


class Store(Protocol):
    """What the flow needs: documents by id, records by key and by group, and writes that move groups."""

    @property
    def name(self) -> str:
        """The engine's URL without secrets, for messages."""

    def get(self, ids: Sequence[str]) -> dict[str, Record]:
        """The stored records of these ids; unknown ids are absent."""

    def read(self, ids: Sequence[str]) -> dict[str, Document]:
        """The stored documents of these ids, content and all; unknown ids are absent."""

    def candidates(self, signatures: Sequence[Signature], *, limit: int) -> list[list[Record]]:
        """For each signature the records that share a key with it, at most `limit`; [] for an empty one."""

    def members(self, groups: Sequence[str]) -> dict[str, list[Record]]:
        """The members of each group, oldest first; [] for a group that has none."""

    def resolve(self, groups: Sequence[str]) -> dict[str, str]:
        """Where each group is now: itself, or the group that it was merged into (redirects followed)."""

    def version(self) -> object:
        """Changes whenever anybody writes documents; always the same where single documents have versions."""

    def put(
        self,
        documents: Sequence[Document],
        *,
        moves: Mapping[str, str] | None = None,
        labels: Mapping[str, str] | None = None,
        seen: Seen | None = None,
    ) -> None:
        """Merge groups (`moves`, losers to winners), give stored documents other groups (`labels`, by id),
        then store documents by id, new or over the old one.

        A move relabels every stored member of the losing group and keeps a redirect from the losing id to
        the winner; a winner that was merged away itself is followed to where it went. Labels and documents
        are written after the moves, exactly as given; one that has its own id as group ends a redirect from
        that id (its group lives again). In one transaction where the store has them; elsewhere redirects
        come first, documents last, so that what a death leaves half done can be told by `backlog`.

        `seen` is what this rests on: raises ConflictError when another writer has changed it meanwhile.
        """

    def backlog(self) -> Backlog:
        """What may have missed its group since everything was settled: to be looked at again."""

    def settled(self, backlog: Backlog) -> None:
        """Note that a backlog was worked off: it is never given again."""

    def touch(self, ids: Sequence[str], last_seen: int) -> None:
        """Set `last_seen` (microseconds since 1970) of these documents; unknown ids are passed over."""

    def delete(self, ids: Sequence[str]) -> None:
        """Forget these documents; unknown ids are passed over."""

    def refresh(self) -> None:
        """Make visible what any process has written so far."""

    def close(self) -> None:
        """Let go of files and connections; a second call does nothing."""


class Engine(Store, Protocol):
    """A store that can be read through, searched with one hit a group, and checked."""

    def scan(self, *, after: str | None = None) -> Iterator[Document]:
        """All documents in the order of their ids, from behind the id `after`."""

    def search(self, query: Query) -> Results:
        """One page of results.

        Every word of `query.text`, as `text.words.query_words` cuts it, must stand in the title or the text;
        a word of the title counts three times. Best first by BM25, then newest (`date`, `last_seen`), then
        id; a query of blanks finds everything, newest first; one without any word ("?!") finds nothing.
        `language` and `site` are exact, `author` is one whole name. Facets count stories in collapse and
        head mode, documents in mode `all`, under all filters, at most `FACETS` values each, most frequent
        first, then by value.
        Raises InputError for a query that asks for too much, and for a cursor that is not of this engine.
        """

    def redirects(self) -> Iterator[tuple[str, str]]:
        """The names of groups that were merged away, each with the group that it leads to now."""

    def copies(self, group: str, *, limit: int = 100) -> list[Copy]:
        """The members of a group for display, oldest first."""

    def outdated(self, schemes: Collection[str]) -> int:
        """How many documents are signed by none of these schemes; 0 where nothing is stored yet."""

    def check(self) -> list[Check]:
        """What `dup-groups doctor` prints about this store."""
