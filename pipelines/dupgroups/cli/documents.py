"""Documents in JSON Lines files, and labelled pairs: shared by the commands that read such files."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import quote

import typer

from dupgroups.config import scope_of
from dupgroups.errors import InputError
from dupgroups.model import Page

Field = Literal["html", "text"]
_STRINGS = ("url", "title", "date", "language", "encoding")


class FieldName(str, Enum):
    """The field that a document is read from."""

    html = "html"
    text = "text"


Docs = Annotated[
    Path,
    typer.Option("--docs", help="Documents as JSON Lines, may be gzipped.", metavar="DOCS.jsonl[.gz]"),
]
Labels = Annotated[Path, typer.Option("--labels", help="Labelled pairs: a,b,label.", metavar="PAIRS.csv")]
Positive = Annotated[
    str,
    typer.Option("--positive", help="Labels of duplicates, separated by commas.", metavar="LABEL,..."),
]
FieldOption = Annotated[
    FieldName | None,
    typer.Option("--field", help="Read only this field; by default html, or text if there is no html."),
]


class JsonLines:
    """The pages of a file with one JSON object per line, gzipped or not, read lazily.

    An object has `html` or `text`, and may have `id`, `url` (or at least `host`), `title`, `date`,
    `language` (or `lang`), `encoding` and the fields `group_by` (see `Config`). `field` selects one of html
    and text; None prefers html. The id of a document without `id` is its URL, or else its line number. Any
    other line is left out, and `broken` is called with a sentence about it. Raises InputError if the file
    cannot be read, or if all its lines are broken.
    """

    def __init__(
        self, path: Path, field: Field | None, broken: Callable[[str], None], group_by: Sequence[str] = ()
    ) -> None:
        self.path, self.field, self.broken, self.group_by = path, field, broken, group_by
        self.size = 0
        self.position = 0  # bytes of the file that have been read, of `size`
        self.pages = self.faults = 0

    def __iter__(self) -> Iterator[Page]:
        for number, line in self._lines():
            try:
                page = _page(line, number, self.field, self.group_by)
            except InputError as error:
                self.faults += 1
                self.broken(f"{self.path}, line {number}: {error}")
                continue
            self.pages += 1
            yield page
        if self.faults and not self.pages:
            raise InputError(f"{self.path}: none of its {self.faults} lines is a document (see above)")

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        number = 0
        try:
            with self.path.open("rb") as raw:
                self.size = self.path.stat().st_size
                zipped = raw.peek(2)[:2] == b"\x1f\x8b"
                for number, line in enumerate(gzip.GzipFile(fileobj=raw) if zipped else raw, start=1):
                    self.position = raw.tell()
                    if line.strip():
                        yield number, line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise InputError(f"{self.path}: the gzip file is damaged after line {number}: {error}") from error
        except OSError as error:
            raise InputError(f"{self.path} cannot be read: {error.strerror or error}") from error


def _page(line: bytes, number: int, field: Field | None, group_by: Sequence[str]) -> Page:
    try:
        values = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"not JSON ({error})") from error
    if not isinstance(values, dict):
        raise InputError("not a JSON object")
    strings = {name: values[name] for name in _STRINGS if _filled(values, name)}
    if "language" not in strings and _filled(values, "lang"):
        strings["language"] = values["lang"]
    id_ = values.get("id")
    name = strings.get("url", f"line {number}") if id_ is None or id_ == "" else str(id_)
    if "url" not in strings and _filled(values, "host"):
        strings["url"] = f"http://{values['host']}/{quote(name)}"  # judges compare the hosts of two pages
    scope = scope_of(group_by, values.get) or None
    return Page(id=name, **strings, **_body(values, field), scope=scope)


def _body(values: dict[str, Any], field: Field | None) -> dict[str, str]:
    for name in (field,) if field else ("html", "text"):
        if _filled(values, name):
            return {name: values[name]}
    raise InputError(f"it has no {field}" if field else "it has neither html nor text")


def _filled(values: dict[str, Any], name: str) -> bool:
    """Whether there is a string that is not empty. Raises InputError for any other type."""
    value = values.get(name)
    if value is not None and not isinstance(value, str):
        raise InputError(f"{name} is not a string")
    return bool(value)
