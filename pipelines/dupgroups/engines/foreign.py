"""An index that other tools filled: what `backfill` needs of an engine that can group it in place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from dupgroups.engines.base import Store
from dupgroups.errors import ConfigError
from dupgroups.model import Page


@dataclass(frozen=True, slots=True)
class Fields:
    """Where the parts of a page stand in a foreign document; "a.b" means b inside a, None that it has none.

    `html` wins over `text` where a document has both.
    """

    text: str | None = "text"
    html: str | None = None
    title: str | None = "title"
    url: str | None = "url"
    date: str | None = "date"
    language: str | None = "language"

    def __post_init__(self) -> None:
        if not self.text and not self.html:
            raise ConfigError("name the field that holds the text or the one that holds the html")


class ForeignIndex(Store, Protocol):
    """A store over documents that it did not write: it adds the `dup_` fields and touches nothing else."""

    def count(self) -> int:
        """How many documents there are."""

    def pages(self) -> Iterator[Page]:
        """All documents as pages with their ids, oldest first where the date is known, as they are now."""


@runtime_checkable
class Adopting(Protocol):
    """An engine whose URL may name a foreign index."""

    def is_foreign(self) -> bool:
        """Whether something else made the index."""

    def adopt(self, fields: Fields) -> ForeignIndex:
        """The index, ready to be grouped in place. Raises ConfigError when its mapping does not allow it."""
