"""Indices that are read and written a part at a time, by several processes, each part once.

A part is a range of sequence numbers of one shard. Every write gives a document a new number above all
others, so a part never grows, and what was written since the parts were cut is above all of them. A reader
needs no context on the server, and can begin any part again at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, runtime_checkable

from dupgroups.engines.base import Store
from dupgroups.engines.foreign import Fields
from dupgroups.model import Page, Record

Version = tuple[int, int]
"""Sequence number and primary term of a document."""

Position = dict[str, int]
"""The highest sequence number of each shard, by the id of the shard; -1 for an empty one."""


class ShardSlice(NamedTuple):
    """The documents of one shard whose numbers are above `after` and at most `until`."""

    shard: int
    after: int
    until: int


@dataclass(frozen=True, slots=True)
class Stored:
    """A document as it is read. `record` is None until it is grouped; `order` sorts documents by their date
    (None without one).
    """

    page: Page
    record: Record | None
    version: Version
    routing: str | None = None
    order: float | str | None = None


@dataclass(frozen=True, slots=True)
class Update:
    """The record that a document gets if it still has this version."""

    record: Record
    version: Version
    routing: str | None = None


@dataclass(frozen=True, slots=True)
class Updated:
    """What became of a batch: the new `versions` by id, the ids that others changed or deleted since they
    were read (`overtaken`), and the `failures` with their reasons.
    """

    versions: dict[str, Version]
    overtaken: frozenset[str] = frozenset()
    failures: Mapping[str, str] = field(default_factory=dict)


def number_of(shard: str) -> int:
    """The number of a shard, by its id.

    >>> number_of("Jx3hX9:2")
    2
    """
    return int(shard.rpartition(":")[2])


class ForeignIndex(Store, Protocol):
    """A store of documents that other tools wrote: it adds the `dup_` fields and changes nothing else. It is
    read and written a part at a time, or looked up like any store.
    """

    def count(self) -> int:
        """The number of documents."""

    def pages(self) -> Iterator[Page]:
        """All documents as pages with their ids, in their current state, oldest first if dates are known."""

    @property
    def identity(self) -> tuple[str, str]:
        """The name of the index, and what tells it from a later one of that name."""

    @property
    def reopen(self) -> Callable[[], ForeignIndex]:
        """Opens the same index in another process; can be pickled."""

    def close(self) -> None:
        """Let go of the connections."""

    def position(self) -> Position:
        """How far every shard is written, all of which can be read now."""

    def parts(self, position: Position, size: int) -> list[ShardSlice]:
        """All documents up to there, cut into parts of about so many."""

    def stored(self, part: ShardSlice, size: int) -> Iterator[list[Stored]]:
        """The documents of a part, at most `size` at a time."""

    def ungroup(self, part: ShardSlice, size: int) -> Iterator[tuple[int, int, int]]:
        """Take the `dup_` fields out of the documents of a part, at most `size` at a time: how many that are,
        how many lost their fields, and how many others changed meanwhile. Raises EngineError if the server
        refuses one.
        """

    def update(self, updates: Sequence[Update]) -> Updated:
        """Write records, each as `Update` says. What a former call wrote counts as written."""

    def again(self, ids: Sequence[str]) -> list[Stored]:
        """These documents as they are now, refreshed or not; unknown ids are left out."""

    def written_since(
        self, position: Position, is_own: Callable[[str, Version], bool]
    ) -> Iterator[list[str]]:
        """The ids of the documents that others wrote since then, some at a time."""

    def rename(self, moves: Mapping[str, str], live: Sequence[str]) -> None:
        """Let the names of groups that are no more lead to where they went; `live` names lead nowhere."""

    def redirects(self) -> Iterator[tuple[str, str]]:
        """All former names of groups, and where they lead."""

    def mark(self) -> object:
        """How far the index is written now, for `settled`; all of that can be read."""

    def release(self) -> None:
        """No longer keep the names of fields: the index is not adopted any more."""


@runtime_checkable
class Adopting(Protocol):
    """An engine whose URL may name an index that other tools filled."""

    def is_foreign(self) -> bool:
        """Whether another tool created the index."""

    def kept_fields(self) -> Fields | None:
        """The field map that is kept with the index since it was adopted; None for any other index."""

    def side_indices(self) -> Mapping[str, str]:
        """The names of what is kept beside the indices behind the name in the URL, each with what it holds;
        also what is left of indices that are gone.
        """

    def remove_side_indices(self) -> None:
        """Delete them: former names of groups and corrections are lost. The fields of documents stay."""

    def adopt(self, fields: Fields | None = None, *, change: bool = False) -> ForeignIndex:
        """The index, ready to be grouped in place; the field map is kept with it from the first look-up on.

        None are the fields that are kept, or else the default ones. Raises ConfigError if its mapping does
        not allow to group it, and for other fields than those that are kept, unless they are to `change`.
        """
