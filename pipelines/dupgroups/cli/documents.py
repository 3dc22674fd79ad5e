"""Documents in files: the pages that commands read."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from dupgroups.cli.options import Field
from dupgroups.cli.rows import Row, Rows
from dupgroups.config import scope_of
from dupgroups.errors import ConfigError, InputError
from dupgroups.model import Page
from dupgroups.web.wording import counted

SHOWN = 12  # fields that a sentence names


@dataclass(frozen=True, slots=True)
class FieldNames:
    """The fields of a document that hold the parts of a page: "a.b" is b inside a, "" not there."""

    text: str = "text"
    html: str = "html"
    title: str = "title"
    url: str = "url"
    date: str = "date"
    language: str = "language"
    id: str = "id"

    def __post_init__(self) -> None:
        if not self.text and not self.html:
            raise ConfigError("name the field that holds the text, or the field that holds the html")


class Documents:
    """The pages of a file (see `rows`), read lazily.

    A document has a text or html, and may have an id, a URL (or at least `host`), title, date, language (or
    `lang`) and `encoding`. `field` selects one of html and text; None prefers html. The id of a document
    without one is its URL, or else its line; with `as_crawled` it has none, as in a crawl, and is named when
    it is signed. Any other row is left out, and `broken` is called with a sentence about it. Raises
    InputError if the file cannot be read, or if all its rows are broken. `names` are those that the user can
    change; None for a command without such options. `group_by`: see `Config`.
    """

    def __init__(
        self,
        path: Path,
        field: Field | None,
        broken: Callable[[str], None],
        names: FieldNames | None = None,
        group_by: Sequence[str] = (),
        *,
        as_crawled: bool = False,
    ) -> None:
        self.path, self.field, self.broken, self.group_by = path, field, broken, group_by
        self.names = names or FieldNames()
        self.as_crawled = as_crawled
        self.hint = ": name yours with --text-field or --html-field" if names else ""
        self.pages = self.faults = 0
        self._rows = Rows(path)

    @property
    def size(self) -> int:
        """The size of the file in bytes or rows; 0 if unknown."""
        return self._rows.size

    @property
    def position(self) -> int:
        """How much of `size` has been read."""
        return self._rows.position

    def __iter__(self) -> Iterator[Page]:
        first = hint = ""
        for number, row in self._rows:
            hint = hint if isinstance(row, InputError) else self.hint  # names help only where fields are
            try:
                yield self._page(row, number)
                self.pages += 1
            except InputError as error:
                fault = f"line {number}: {error}"
                first = first or fault
                self.faults += 1
                self.broken(f"{self.path}, {fault}")
        if self.faults and not self.pages:
            lines = counted(self.faults, "line")
            raise InputError(f"{self.path}: there is no document in {lines}; {first}{hint}")

    def _page(self, row: Row | InputError, number: int) -> Page:
        if isinstance(row, InputError):
            raise row
        scope = scope_of(self.group_by, lambda name: _value(row, name))
        names = FieldNames() if self._rows.has_our_names else self.names
        page = _page(row, names, self.field)
        name = page.id if page.id or self.as_crawled else page.url or f"line {number}"
        return replace(_at_its_host(page, row, name or ""), id=name, scope=scope or None)


def _page(row: Row, names: FieldNames, field: Field | None) -> Page:
    body = _body(row, names, field)
    strings = {
        part: _string(row, name)
        for part, name in (
            ("url", names.url),
            ("title", names.title),
            ("date", names.date),
            ("language", names.language),
            ("encoding", "encoding"),
        )
    }
    strings["language"] = strings["language"] or _string(row, "lang")
    id_ = _value(row, names.id)
    return Page(id=None if id_ in (None, "") else str(id_), **strings, **body)


def _at_its_host(page: Page, row: Row, name: str) -> Page:
    """With a URL at its host if it has none and the host is known: judges compare the hosts of two pages."""
    host = None if page.url else _string(row, "host")
    return replace(page, url=f"http://{host}/{quote(name)}") if host and name else page


def _body(row: Row, names: FieldNames, field: Field | None) -> dict[str, Any]:
    wanted = {part: getattr(names, part) for part in ((field,) if field else ("html", "text"))}
    for part, name in wanted.items():
        value = _value(row, name)
        if value and (part == "html" and isinstance(value, bytes)):
            return {part: value}
        if text := _string(row, name):
            return {part: text}
    named = [name for name in wanted.values() if name]
    missing = f"neither {' nor '.join(named)}" if len(named) > 1 else f"no {''.join(named)}"
    raise InputError(f"it has {missing}, but {_listed(row)}")


def _listed(row: Row) -> str:
    fields = sorted(map(str, row))
    return ", ".join(fields[:SHOWN]) + (", ..." if len(fields) > SHOWN else "") if fields else "no field"


def _string(row: Row, name: str) -> str | None:
    """The string of a field, None if it is empty. Raises InputError for any other type."""
    value = _value(row, name)
    if isinstance(value, datetime.date):  # from Parquet
        return value.isoformat()
    if value is not None and not isinstance(value, str):
        raise InputError(f"{name} is not a string")
    return value or None


def _value(row: Row, name: str) -> Any:
    """The value of a field; of "a.b", that of b inside a, if there is no field of this name."""
    if not name or name in row or "." not in name:
        return row.get(name) if name else None
    value: Any = row
    for part in name.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value
