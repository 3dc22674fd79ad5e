"""Documents from JSON Lines, and their labels: what the commands that take such files have in common."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import quote

import typer

from dupgroups.errors import InputError
from dupgroups.model import Page

Field = Literal["html", "text"]
_STRINGS = ("url", "title", "date", "language", "encoding")


class FieldName(str, Enum):
    """What a document is read from."""

    html = "html"
    text = "text"


Docs = Annotated[Path, typer.Option("--docs", help="JSON Lines, gzipped or not.", metavar="DOCS.jsonl[.gz]")]
Labels = Annotated[Path, typer.Option("--labels", help="Labelled pairs: a,b,label.", metavar="PAIRS.csv")]
Positive = Annotated[
    str, typer.Option("--positive", help="Labels to be found, with commas between.", metavar="LABEL,...")
]
FieldOption = Annotated[
    FieldName | None,
    typer.Option("--field", help="Read only this; else html where a document has it, else text."),
]


class JsonLines:
    """The pages of a file with one JSON object a line, gzipped or not, read as they are asked for.

    An object has `html` or `text`, and may have `id`, `url` (or at least `host`), `title`, `date`,
    `language` (or `lang`) and `encoding`. `field` chooses what is taken where both are there; None prefers
    html. A document without an id is named by its URL, without that by its line. Lines that are no such
    object are told to `broken`, in a sentence, and left out. Raises InputError when the file cannot be read,
    or holds broken lines only.
    """

    def __init__(self, path: Path, field: Field | None, broken: Callable[[str], None]) -> None:
        self.path, self.field, self.broken = path, field, broken
        self.size = 0
        self.position = 0  # bytes of the file that were read, of `size`
        self.pages = self.faults = 0

    def __iter__(self) -> Iterator[Page]:
        for number, line in self._lines():
            try:
                page = _page(line, number, self.field)
            except InputError as error:
                self.faults += 1
                self.broken(f"{self.path}, line {number}: {error}")
                continue
            self.pages += 1
            yield page
        if self.faults and not self.pages:
            raise InputError(f"{self.path}: none of its {self.faults} lines is a document, see above")

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


def _page(line: bytes, number: int, field: Field | None) -> Page:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"not JSON ({error})") from error
    if not isinstance(found, dict):
        raise InputError("not a JSON object")
    strings = {name: found[name] for name in _STRINGS if _filled(found, name)}
    if "language" not in strings and _filled(found, "lang"):
        strings["language"] = found["lang"]
    id_ = found.get("id")
    name = strings.get("url", f"line {number}") if id_ is None or id_ == "" else str(id_)
    if "url" not in strings and _filled(found, "host"):
        strings["url"] = f"http://{found['host']}/{quote(name)}"  # judges ask whether two pages share a host
    return Page(id=name, **strings, **_body(found, field))


def _body(found: dict[str, Any], field: Field | None) -> dict[str, str]:
    for name in (field,) if field else ("html", "text"):
        if _filled(found, name):
            return {name: found[name]}
    raise InputError(f"no {field or 'html and no text'}")


def _filled(found: dict[str, Any], name: str) -> bool:
    """Is there a string that is not empty? Raises InputError for what is no string."""
    value = found.get(name)
    if value is not None and not isinstance(value, str):
        raise InputError(f"{name} is no string")
    return bool(value)
