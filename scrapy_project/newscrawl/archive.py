"""Pages on disk: WARC and JSON Lines files, packed or plain. Errors in them are reported, never fatal."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from dupgroups.bulk.inputs.archive import pages as warc_pages
from dupgroups.bulk.inputs.compressed import decompressed
from dupgroups.model import Page
from newscrawl.items import PageItem

WARC = (".warc", ".warc.gz", ".warc.zst")
JSON_LINES = (".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz")
LARGEST = 50_000_000  # bytes of a line
LARGEST_PAGE = 10_000_000  # bytes of the unpacked body of a response, as in a crawl (DOWNLOAD_MAXSIZE)
HEAD = 100_000  # bytes of the HTTP head before it
TEXTS = ("url", "text", "title", "date", "language", "encoding")


@dataclass(frozen=True)
class Broken:
    """A line (JSON Lines) or record (WARC) that is not a page: the file, its number from 1, and why."""

    path: Path
    number: int
    reason: str

    def __str__(self) -> str:
        place = "line" if self.path.name.endswith(JSON_LINES) else "record"
        return f"{self.path}, {place} {self.number}: {self.reason}"


def archives(path: Path) -> list[Path]:
    """The archives at a path: the file itself, or those in a folder, sorted by name. [] if there are none."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    return [file for file in files if file.name.endswith(WARC + JSON_LINES)]


def pages(path: Path) -> Iterator[PageItem | Broken]:
    """The pages of an archive, in order. For a truncated or damaged file, the last value is a Broken."""
    read = json_lines if path.name.endswith(JSON_LINES) else warc
    number = 0
    try:
        for number, page in read(path):
            yield Broken(path, number, page) if isinstance(page, str) else page
    except (OSError, EOFError, zlib.error) as error:
        yield Broken(path, number + 1, f"the rest of the file cannot be read: {error}")


def json_lines(path: Path) -> Iterator[tuple[int, PageItem | str]]:
    """(line number, page or error) of every line that is not blank."""
    with path.open("rb") as raw, decompressed(raw) as file:
        for number, line in enumerate(_lines(file), 1):
            if line is None:
                yield number, f"longer than {LARGEST:,} bytes"
            elif line.strip():
                yield number, _parsed(line)


def warc(path: Path) -> Iterator[tuple[int, PageItem | str]]:
    """(record number, page or error) of every response that is an HTML page, and of every broken record."""
    with path.open("rb") as raw, decompressed(raw) as file:
        for number, page in warc_pages(file, LARGEST_PAGE, HEAD):
            yield number, page if isinstance(page, str) else _page_item(page)


def _lines(file: IO[bytes]) -> Iterator[bytes | None]:
    """The lines of a file; None for a line longer than LARGEST, which is never completely in memory."""
    while line := file.readline(LARGEST + 1):
        part = line
        while len(part) > LARGEST and not part.endswith(b"\n"):
            part = file.readline(LARGEST + 1)
        yield line if part is line else None


def _parsed(line: bytes) -> PageItem | str:
    try:
        values = json.loads(line)
        return _item(values) if isinstance(values, dict) else "not a JSON object"
    except (ValueError, RecursionError) as error:
        return f"not JSON: {error}"


def _item(values: dict[str, Any]) -> PageItem | str:
    given = {"language": values.get("lang")} | {name: values[name] for name in TEXTS if values.get(name)}
    wrong = [name for name, value in {**given, "html": values.get("html")}.items() if not _is_text(value)]
    if wrong:
        return f"{wrong[0]!r} is not text"
    html = values.get("html") or None
    if html:
        given.pop("text", None)  # the article is extracted from the html, as in a crawl
    elif not given.get("text"):
        return "neither 'html' nor 'text'"
    id_ = values.get("id")
    return PageItem(html=html, id=None if id_ in (None, "") else str(id_), **given)


def _is_text(value: object) -> bool:
    return value is None or isinstance(value, str)


def _page_item(page: Page) -> PageItem:
    return PageItem(page.url, page.html, encoding=page.encoding)
