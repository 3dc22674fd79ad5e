"""Indices that other tools filled: the interface that `backfill` needs to group them in place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from dupgroups.engines.base import Store
from dupgroups.errors import ConfigError
from dupgroups.model import Page


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of a foreign document that hold the parts of a page: "a.b" is b inside a, None not there.

    `html` takes precedence over `text` if a document has both. `group_by`: see `Config`.
    """

    text: str | None = "text"
    html: str | None = None
    title: str | None = "title"
    url: str | None = "url"
    date: str | None = "date"
    language: str | None = "language"
    group_by: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.text and not self.html:
            raise ConfigError("name the field that holds the text, or the field that holds the html")


class ForeignIndex(Store, Protocol):
    """A store of documents that other tools wrote: it adds the `dup_` fields and changes nothing else."""

    def count(self) -> int:
        """The number of documents."""

    def pages(self) -> Iterator[Page]:
        """All documents as pages with their ids, in their current state, oldest first if dates are known."""


@runtime_checkable
class Adopting(Protocol):
    """An engine whose URL may name an index that other tools filled."""

    def is_foreign(self) -> bool:
        """Whether another tool created the index."""

    def adopt(self, fields: Fields) -> ForeignIndex:
        """The index, ready to be grouped in place. Raises ConfigError if its mapping does not allow that."""
