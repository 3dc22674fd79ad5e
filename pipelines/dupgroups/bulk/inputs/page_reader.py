"""The pages of a file, and one page from a file, a URL or standard input: what commands read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from http.client import HTTPException
from pathlib import Path
from string import punctuation
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.parse import quote
from urllib.request import Request, urlopen

from dupgroups.bulk.inputs.left_out import CutOffError, NoPageError, reason_of
from dupgroups.bulk.inputs.rows import FORMATS, Row, Rows, readable
from dupgroups.bulk.inputs.saved_pages import read_saved
from dupgroups.errors import InputError, LeftOutError
from dupgroups.model import Page
from dupgroups.model.config import scope_of
from dupgroups.model.field_names import Fields
from dupgroups.text.values import (
    MAX_SHOWN_FIELDS,
    first_of,
    names_within,
    page_parts,
    read_part,
    text_of,
    value_at,
    without_text,
)

PAGE = "A file (html or plain text), a URL, or - for standard input."
STDIN = "-"
MAX_PAGE_BYTES = 200_000_000  # bytes of a page: with pictures inside, some are long
HINT = ": name yours, such as --fields text=body,title=headline"

FIELDS = Fields(html="html")
# read from a file
PARTS = ("id", "text", "html", "title", "url", "date", "language", "site", "author", "source")


def fields_of_file(names: str | None) -> Fields:
    """The fields of the documents in a file, by `--fields`. Raises ConfigError (see `Fields.with_names`)."""
    return FIELDS.with_names(names, PARTS) if names else FIELDS


class PageReader:
    """The pages of a file (see `rows`), read lazily.

    A document has a text or html, and may have an id, a URL (or at least `host`), title, date, language (or
    `lang`), site, author and `encoding`. The id of a document without one is its URL, or else its line; with
    `as_crawled` it has none, as in a crawl, and is named when it is signed. Any other row is left out:
    `broken` is called with a sentence about it, once for rows with the same trouble, and `answer_fault` with
    its line and what is wrong, for each. `left_out` and `no_pages` count both kinds by their reasons. Raises
    InputError if the file cannot be read, or if it has no document. `group_by`: see `Config`.
    """

    def __init__(
        self,
        path: Path,
        broken: Callable[[str], None],
        fields: Fields = FIELDS,
        group_by: Sequence[str] = (),
        *,
        as_crawled: bool = False,
        answer_fault: Callable[[int, str], None] | None = None,
    ) -> None:
        self.path = path
        self.broken = broken
        self.fields = fields
        self.group_by = group_by
        self.as_crawled = as_crawled
        self.answer_fault = answer_fault
        self.pages = 0
        self.left_out: Counter[str] = Counter()
        self.no_pages: Counter[str] = Counter()
        self.is_cut_off = False
        self.rows = Rows(path)

    def __iter__(self) -> Iterator[Page]:
        waiting: list[str] = []  # until a page has come: if none does, the error says it
        hint = "" if self.rows.is_named else f"; what is read are {FORMATS}"
        if str(self.path) == STDIN:
            hint = "; standard input is read as JSON or a web archive"
        for number, row in self.rows:
            try:
                yield self._page(row, number)
                self.pages += 1
            except InputError as error:
                if not (waiting or self.pages or isinstance(row, InputError) or self.rows.has_our_names):
                    hint = _advise(row)  # on the record that is named; names help only where fields are
                waiting += self._leave_out(number, error)
            while self.pages and waiting:
                self.broken(f"{self.path}, {waiting.pop(0)}")
        if waiting and not self.pages:
            raise InputError(f"{self.path}: no line is a document; {waiting[0]}{hint}")
        if not self.pages and not self.rows.has_our_names:  # an archive may hold nothing but pictures
            raise InputError(f"there is no document in {self.path}")

    def _leave_out(self, number: int, error: InputError) -> Iterator[str]:
        """Count a record that is no document; yields a sentence about a trouble that is new."""
        counts, reason = self.no_pages if isinstance(error, NoPageError) else self.left_out, reason_of(error)
        counts[reason] += 1
        self.is_cut_off |= isinstance(error, CutOffError)
        if counts is self.left_out:
            if self.answer_fault:
                self.answer_fault(number, str(error))
            if counts[reason] == 1 and len(counts) <= MAX_SHOWN_FIELDS:
                yield f"line {number}: {error}"

    @property
    def faults(self) -> int:
        """The number of records that are no documents though they should be."""
        return self.left_out.total()

    def account(self) -> str | None:
        """How many records there were, and why some are no documents; None if all are."""
        parts = []
        for name, counts in (("left out", self.left_out), ("no page", self.no_pages)):
            told = ", ".join(f"{count:,} {reason}" for reason, count in counts.items())
            if counts:
                parts.append(f"{name}: {told}")
        total = self.pages + self.faults + self.no_pages.total()
        return "; ".join([f"{self.path}: {total:,} records, {self.pages:,} read", *parts]) if parts else None

    def check_left_out(self) -> None:
        """Raise LeftOutError if most records are no documents, or the file ends inside one: to be asked for
        once what the others gave is kept.
        """
        if self.faults > self.pages:
            of = f"{self.faults:,} of {self.faults + self.pages:,}"
            raise LeftOutError(f"{self.path}: {of} records are not documents and were left out")
        if self.is_cut_off:
            raise LeftOutError(f"{self.path} is damaged or ends inside a record, so some may be missing")

    def estimate_pages(self) -> int | None:
        """How many pages the file has, by the part that was read; None before, and for standard input."""
        position = self.rows.position()
        return round(self.pages * self.rows.size / position) if position and self.rows.size else None

    def _page(self, row: Row | InputError, number: int) -> Page:
        if isinstance(row, InputError):
            raise row
        scope = scope_of(self.group_by, lambda name: text_of(value_at(row, name)))
        # where the format names the fields, only what is switched off counts
        ours = FIELDS if self.fields.html else replace(FIELDS, html=None)
        page = _page(row, ours if self.rows.has_our_names else self.fields)
        name = page.id if page.id or self.as_crawled else page.url or f"line {number}"
        # with a URL at its host if it has none and the host is known: judges compare the hosts of two pages
        host = first_of(value_at(row, "host"))
        url = page.url or (f"http://{host}/{quote(name)}" if host and name else None)
        return replace(page, id=name, url=url, scope=scope or None)


def _advise(row: Row) -> str:
    """Say what to do about a row that is no document: name its fields, or make lines of a list in it; "" for
    one without fields.
    """
    values = {name: value_at(row, name) for name in names_within(row)}
    for name, value in values.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            return f": write each of {name} on a line, as `jq -c '.{name}[]'` does"
    return HINT if values else ""


def _page(row: Row, fields: Fields) -> Page:
    """A row as a page; html takes precedence over text. Raises InputError for a row without both."""
    parts = page_parts(lambda part: read_part(partial(value_at, row), part, getattr(fields, part, part)))
    if parts["html"]:
        parts["text"] = None
    elif parts["text"]:
        parts["html"] = None
    else:
        raise InputError(without_text(row, (fields.html, fields.text)))
    return Page(**parts)


def load(place: str, url: str | None = None) -> Page:
    """Load a page from `place`, a file, a URL or "-"; `url` is the URL of a file. Raises InputError."""
    from dupgroups.text.decoding import decode
    from dupgroups.text.document_like import as_page

    if not place:  # an unset variable of a shell; Path("") would be the current folder
        raise InputError("the name of a page is empty: name a file, an address or -")
    if place.startswith(("http://", "https://")):
        try:
            address = quote(place, safe=punctuation)  # letters beyond ASCII are sent as browsers do
            request = Request(address, headers={"User-Agent": "dup-groups"})  # noqa: S310 - http and https only
            with urlopen(request, timeout=30) as answer:  # noqa: S310
                charset = answer.headers.get_content_charset()
                return Page(url=answer.url, html=_read_page(answer), encoding=charset)
        except (OSError, HTTPException, ValueError) as error:
            reason: object = error
            if isinstance(error, URLError) and not isinstance(error, HTTPError):
                reason = error.reason  # what stopped it
            said = getattr(reason, "strerror", None) or str(reason)
            raise InputError(f"{place} cannot be fetched: {said}") from error
    rows = Rows(Path(place))
    if rows.holds_many:
        raise InputError(f"{place} holds many documents, not one page: `dup-groups group` compares them")
    with readable(rows.path), rows.stream() as file:
        raw = _read_page(file)
    saved = read_saved(raw)
    text = decode(raw) if saved["html"] is raw else "<html>"
    if as_page(text).html:
        return Page(**saved | {"url": url or saved.get("url")})
    if "\0" in text or raw.startswith(b"%PDF-"):
        raise InputError(f"{place} is neither html nor text: name a page")
    return Page(url=url, text=text)


def _read_page(file: IO[bytes]) -> bytes:
    raw = file.read(MAX_PAGE_BYTES + 1)
    if len(raw) > MAX_PAGE_BYTES:
        raise OSError(f"it is longer than {MAX_PAGE_BYTES:,} bytes")
    return raw
