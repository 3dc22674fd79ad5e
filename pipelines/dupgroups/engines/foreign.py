"""Indices that other tools filled: which of their fields hold what, and how they are grouped in place."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from dupgroups.engines.base import Store
from dupgroups.errors import ConfigError
from dupgroups.model import Page

if TYPE_CHECKING:
    from dupgroups.engines.parts import PartedIndex

EARLIEST = (
    10**11
)  # milliseconds since 1970 are above this since 1973, and seconds below it until the year 5138
LATEST = 10**14  # milliseconds, beyond which there is no date
PARTS = ("text", "html", "title", "url", "date", "language", "site", "author", "image")


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of a document that hold the parts of a page: "a.b" is b inside a, None and "" not there.

    `html` takes precedence over `text` if a document has both. `group_by` is that of the configuration
    (`Config`), which may change without the other names: it does not count in comparisons.
    """

    text: str | None = "text"
    html: str | None = None
    title: str | None = "title"
    url: str | None = "url"
    date: str | None = "date"
    language: str | None = "language"
    site: str | None = "site"
    author: str | None = "author"
    image: str | None = "image"
    group_by: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if not self.text and not self.html:
            raise ConfigError("name the field that holds the text, or the field that holds the html")

    @classmethod
    def of_plain(cls, names: Any) -> Fields:
        """The field map that `plain` gave. Raises ConfigError for anything else."""
        group_by = names.get("group_by", []) if isinstance(names, Mapping) else None
        if not isinstance(group_by, list) or any(not isinstance(names.get(part, ""), str) for part in PARTS):
            raise ConfigError(
                "the names of fields that are kept in the _meta of the mapping, under dup_groups, cannot be "
                "read: take dup_groups out of it, and adopt the index again with `dup-groups backfill`"
            )
        return cls(**{part: names.get(part) for part in PARTS}, group_by=tuple(map(str, group_by)))

    def plain(self) -> dict[str, Any]:
        """The field map as values of JSON; what is not there is left out."""
        return {**self.by_part(), **({"group_by": list(self.group_by)} if self.group_by else {})}

    def by_part(self) -> dict[str, str]:
        """The name of the field of each part of a page that has one."""
        return {part: name for part in PARTS if (name := getattr(self, part))}

    def changed(self, given: Mapping[str, str | None]) -> Fields:
        """With other names for the given parts; "" and None for a part that is not there."""
        return replace(self, **{part: name or None for part, name in given.items()})  # type: ignore[arg-type]

    def __str__(self) -> str:
        return ", ".join(f"{part}={name}" for part, name in self.by_part().items())


class ForeignIndex(Store, Protocol):
    """A store of documents that other tools wrote: it adds the `dup_` fields and changes nothing else."""

    def count(self) -> int:
        """The number of documents."""

    def pages(self) -> Iterator[Page]:
        """All documents as pages with their ids, in their current state, oldest first if dates are known."""


@dataclass(frozen=True, slots=True)
class Target:
    """The index that documents are written into under some name. `uuid` tells it from a later index of its
    name. `moves_on`: the name is an alias that may go on to the next index at any moment. `routing` is what
    the alias gives to documents, None if it gives none.
    """

    index: str
    uuid: str
    moves_on: bool = False
    routing: str | None = None


@dataclass(frozen=True, slots=True)
class Put:
    """The `dup_` fields of a document that somebody else is about to write. `version` is the one that they
    rest on, None if the document is not there yet.
    """

    id: str
    fields: Mapping[str, Any]
    version: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Written:
    """What a server says of such a write. `overtaken`: others changed the document, and it is not written.
    `unchecked`: it is written, whatever version was there.
    """

    answer: Mapping[str, Any]
    overtaken: bool = False
    unchecked: bool = False


Carrier = Callable[[Sequence[Put]], Mapping[str, Written]]
"""Writes documents together with their fields, in the name of whoever sent them; answers by id."""


class WrittenIndex(Store, Protocol):
    """A store whose documents are written by a carrier: `put` gives it the fields to write with them."""

    @property
    def is_stream(self) -> bool:
        """Whether it is a data stream, whose documents cannot be changed."""

    def page(self, id_: str, source: Mapping[str, Any]) -> Page:
        """A document as a page with this id; its text is "" if it has none."""

    def has_text(self, source: Mapping[str, Any]) -> bool:
        """Whether a document has a text, or html."""

    def reads(self, source: Mapping[str, Any]) -> bool:
        """Whether a part of a document has a field that a page is made of."""

    def sources(self, ids: Sequence[str]) -> dict[str, Mapping[str, Any]]:
        """The fields that pages are made of, as they are stored; unknown ids are absent."""

    def route(self, routings: Mapping[str, str | None]) -> None:
        """The custom routings, None for none, of the documents that are about to be written, by id."""

    def forget(self, ids: Collection[str]) -> None:
        """These documents have no `dup_` fields any longer, or are gone: others wrote them."""


@runtime_checkable
class Adopting(Protocol):
    """An engine whose URL may name an index that other tools filled."""

    def is_foreign(self) -> bool:
        """Whether another tool created the index."""

    def kept_fields(self) -> Fields | None:
        """The field map that is kept with the index since it was adopted; None for any other index."""

    def write_targets(self) -> Mapping[str, Target]:
        """All names under which documents are written into the indices behind the name in the URL, which may
        be a pattern; {} if there are none.
        """

    def adopt(self, fields: Fields | None = None, *, change: bool = False) -> PartedIndex:
        """The index, ready to be grouped in place; the field map is kept with it from the first look-up on.

        None are the fields that are kept, or else the default ones. Raises ConfigError if its mapping does
        not allow to group it, and for other fields than those that are kept, unless they are to `change`.
        """

    def adopt_written(self, fields: Fields, carrier: Carrier) -> WrittenIndex:
        """The index, ready to be grouped while a carrier writes it. Raises ConfigError as `adopt` does."""


def value_of(source: Mapping[str, Any], name: str | None) -> str | None:
    """A field of a document as text, with one value per line if there are several; None if it is missing."""
    values = values_of(source, name)
    return "\n".join(values) if values else None


def values_of(source: Mapping[str, Any], name: str | None) -> list[str]:
    """The values of a field of a document as texts; [] if it is missing, or holds other fields."""
    found = _found(source, name.split(".")) if name else None
    several = found if isinstance(found, list) else [found]
    return [str(value) for value in several if value is not None and not isinstance(value, Mapping | list)]


def date_of(source: Mapping[str, Any], name: str | None) -> str | None:
    """A date as text. Numbers are seconds or milliseconds since 1970, and become ISO 8601."""
    value: Any = _found(source, name.split(".")) if name else None
    if type(value) not in (int, float) or not 0 <= value < LATEST:
        return value_of(source, name)
    seconds = float(value) if value < EARLIEST else value / 1000
    moment = datetime(1970, 1, 1) + timedelta(seconds=seconds)
    return moment.isoformat(timespec="seconds") + "Z"


def _found(source: Any, path: Sequence[str]) -> Any:
    """The value at a path, in nested objects as well as in field names with dots."""
    if not path:
        return source
    if not isinstance(source, Mapping):
        return None
    for length in range(len(path), 0, -1):
        name = ".".join(path[:length])
        if name in source:
            return _found(source[name], path[length:])
    return None
