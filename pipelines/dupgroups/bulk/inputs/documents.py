"""Documents in files, and single pages from a file, a URL or standard input: what commands read."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import quote
from urllib.request import Request, urlopen

from dupgroups.bulk.inputs.rows import Row, Rows, readable
from dupgroups.engines.foreign import Fields, found
from dupgroups.errors import InputError
from dupgroups.model import Page
from dupgroups.model.config import scope_of

PAGE = "A file (html or plain text), a URL, or - for standard input."
STDIN = "-"
LARGEST = 20_000_000  # bytes of a page that are read
SHOWN = 12  # fields that a sentence names
HINT = ": name yours, such as --fields text=body,title=headline"

FIELDS = Fields(html="html")
PARTS = ("id", "text", "html", "title", "url", "date", "language")  # what is read from a file


def fields_of_file(names: str | None) -> Fields:
    """The fields of the documents in a file, by `--fields`. Raises ConfigError (see `Fields.renamed`)."""
    return FIELDS.renamed(names, PARTS) if names else FIELDS


class Documents:
    """The pages of a file (see `rows`), read lazily.

    A document has a text or html, and may have an id, a URL (or at least `host`), title, date, language (or
    `lang`) and `encoding`. The id of a document without one is its URL, or else its line; with `as_crawled`
    it has none, as in a crawl, and is named when it is signed. Any other row is left out, and `broken` is
    called with a sentence about it. Raises InputError if the file cannot be read, or if all its rows are
    broken. `group_by`: see `Config`.
    """

    def __init__(
        self,
        path: Path,
        broken: Callable[[str], None],
        fields: Fields = FIELDS,
        group_by: Sequence[str] = (),
        *,
        as_crawled: bool = False,
    ) -> None:
        self.path, self.broken, self.fields, self.group_by = path, broken, fields, group_by
        self.as_crawled = as_crawled
        self.pages = self.faults = 0
        self.rows = Rows(path)

    def __iter__(self) -> Iterator[Page]:
        first = hint = ""
        for number, row in self.rows:
            if not (isinstance(row, InputError) or self.rows.has_our_names):
                hint = HINT  # names help only where fields are
            try:
                yield self._page(row, number)
                self.pages += 1
            except InputError as error:
                fault = f"line {number}: {error}"
                first = first or fault
                self.faults += 1
                self.broken(f"{self.path}, {fault}")
        if self.faults and not self.pages:
            raise InputError(f"{self.path}: no line is a document; {first}{hint}")

    def expected(self) -> int | None:
        """How many pages the file has, by the part that was read; None before, and for standard input."""
        position = self.rows.position()
        return round(self.pages * self.rows.size / position) if position and self.rows.size else None

    def _page(self, row: Row | InputError, number: int) -> Page:
        if isinstance(row, InputError):
            raise row
        scope = scope_of(self.group_by, lambda name: found(row, name))
        page = _page(row, self._named())
        name = page.id if page.id or self.as_crawled else page.url or f"line {number}"
        return replace(_at_its_host(page, row, name or ""), id=name, scope=scope or None)

    def _named(self) -> Fields:
        """The fields of a row. Where the format names them, only what is switched off counts."""
        if not self.rows.has_our_names:
            return self.fields
        return FIELDS if self.fields.html else replace(FIELDS, html=None)


def _page(row: Row, fields: Fields) -> Page:
    body = _body(row, fields)
    parts = ("url", "title", "date", "language")
    strings = {part: _string(row, getattr(fields, part)) for part in parts}
    strings["language"] = strings["language"] or _string(row, "lang")
    id_ = found(row, fields.id)
    return Page(
        id=None if id_ in (None, "") else str(id_), encoding=_string(row, "encoding"), **strings, **body
    )


def _at_its_host(page: Page, row: Row, name: str) -> Page:
    """With a URL at its host if it has none and the host is known: judges compare the hosts of two pages."""
    host = None if page.url else _string(row, "host")
    return replace(page, url=f"http://{host}/{quote(name)}") if host and name else page


def _body(row: Row, fields: Fields) -> dict[str, Any]:
    for part, name in (("html", fields.html), ("text", fields.text)):
        value = found(row, name)
        if value and (part == "html" and isinstance(value, bytes)):
            return {part: value}
        if text := _string(row, name):
            return {part: text}
    named = [*dict.fromkeys(filter(None, (fields.html, fields.text)))]
    missing = f"neither {' nor '.join(named)}" if len(named) > 1 else f"no {''.join(named)}"
    raise InputError(f"it has {missing}, but {_listed(row)}")


def _listed(row: Row) -> str:
    fields = sorted(str(name) for name, value in row.items() if value)
    return ", ".join(fields[:SHOWN]) + (", ..." if len(fields) > SHOWN else "") if fields else "no field"


def _string(row: Row, name: str | None) -> str | None:
    """The string of a field, None if it is empty. Raises InputError for any other type."""
    value = found(row, name)
    if isinstance(value, datetime.date):  # from Parquet
        return value.isoformat()
    if value and not isinstance(value, str):
        raise InputError(f"{name} is not a string")
    return value or None


def load(place: str, url: str | None = None) -> Page:
    """Load a page from `place`, a file, a URL or "-"; `url` is the URL of a file. Raises InputError."""
    from dupgroups.model.document_like import as_page
    from dupgroups.text.decoding import decode

    if place.startswith(("http://", "https://")):
        return _fetch(place)
    with readable(Path(place)), Rows(Path(place)).stream() as file:
        raw = file.read(LARGEST)
    text = decode(raw)
    if as_page(text).html:
        return Page(url=url, html=raw)
    if "\0" in text:
        raise InputError(f"{place} is neither html nor text: name a page")
    return Page(url=url, text=text)


def _fetch(url: str) -> Page:
    try:
        request = Request(url, headers={"User-Agent": "dup-groups"})  # noqa: S310 - http and https only
        with urlopen(request, timeout=30) as answer:  # noqa: S310
            charset = answer.headers.get_content_charset()
            return Page(url=answer.url, html=answer.read(LARGEST), encoding=charset)
    except (OSError, HTTPException, ValueError) as error:
        raise InputError(f"{url} cannot be fetched: {error}") from error
