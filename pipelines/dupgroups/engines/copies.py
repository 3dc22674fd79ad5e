"""Indices that are copied with their `dup_` fields into another index, which then takes their place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from dupgroups.engines.foreign import Fields
from dupgroups.engines.parts import PartedIndex, Stored

Routings = Mapping[str, str | None]
"""The custom routings of documents by their ids, None for those without one."""


@dataclass(frozen=True, slots=True)
class TakenOver:
    """What became of documents that came late: the ids that were `replaced`, those that were `left` alone,
    because others have written them in the copy, and the `failures` with their reasons.
    """

    replaced: frozenset[str] = frozenset()
    left: frozenset[str] = frozenset()
    failures: Mapping[str, str] = field(default_factory=dict)


class CopiedIndex(PartedIndex, Protocol):
    """The copy. Only its run writes into it until it takes the place of the source."""

    def take_over(self, documents: Sequence[Stored], *, replace: bool) -> TakenOver:
        """Write documents of the source that are not there, or not as they are now; they keep the `dup_`
        fields that they have in the copy. Without `replace` those that are there are left alone.
        """

    def ids(self) -> Iterator[Routings]:
        """The ids of all documents, some at a time."""

    def remove(self, documents: Routings) -> None:
        """Delete documents; those that are not there are passed over. Raises EngineError if it is refused."""


class IndexCopy(Protocol):
    """An index of other tools and the one that it is copied into. Nothing is ever written into the source,
    except the alias that it may have to give away.
    """

    @property
    def into(self) -> str:
        """The name of the copy."""

    @property
    def identity(self) -> tuple[str, str]:
        """That of the source: see PartedIndex."""

    @property
    def alias(self) -> str:
        """The alias by which the source was opened, "" for the index itself."""

    def source(self, fields: Fields, *, change: bool = False) -> PartedIndex:
        """The source, to be read. Raises ConfigError for an index that cannot be copied."""

    def opener(self, fields: Fields | None = None) -> Callable[[], CopiedIndex]:
        """Opens the copy, in any process; whoever opens it closes it. None are the fields that it keeps."""

    def mark(self) -> str | None:
        """What `make` has noted in the copy; "" in an index of somebody else, None where there is none."""

    def make(self, fields: Fields, mark: str, shards: int | None) -> None:
        """Create the copy, empty, with the mapping and the settings of the source, and with the `dup_`
        fields; None are as many shards as the source has. Raises ConfigError if the server does not take it.
        """

    def shards(self) -> int:
        """How many primary shards the copy has."""

    def renames(self) -> dict[str, str]:
        """The former names of groups in the source, if it was grouped, and where they lead."""

    def gone(self, ids: Sequence[str]) -> list[str]:
        """Those of these documents that the source has no longer, as of its last refresh."""

    def finish(self) -> None:
        """Give the copy those settings of the source that would have been in the way so far."""

    def holder(self, alias: str) -> str:
        """The index that an alias stands for, "" if it is free. Raises ConfigError if it cannot be one of
        source and copy alone, or cannot be taken from the source.
        """

    def switch(self, alias: str, *, back: bool = False) -> None:
        """Let an alias lead to the copy, or back to the source, in one step, unless it does so already."""

    def release(self, alias: str) -> None:
        """Take an alias from the copy."""

    def aliases(self, index: str) -> list[str]:
        """The aliases of an index: of the source, or of the copy."""

    def drop(self) -> None:
        """Delete the copy, with what is noted beside it."""

    def command(self) -> str:
        """The command that lets the name of the source lead to the copy, and deletes the source."""


@runtime_checkable
class Copying(Protocol):
    """An engine whose index can be copied."""

    def copy_into(self, name: str, *, source: str | None = None) -> IndexCopy:
        """The index of this engine, or another `source`, and its copy of this name, which need not be there.

        Raises ConfigError for what cannot be copied, and for a name that the copy cannot have.
        """
