"""Pages on disk: WARC and JSON Lines files, plain or gzipped. What is broken is told, never fatal."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedIOBase
from pathlib import Path
from typing import Any

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from newscrawl.items import PageItem

WARC = (".warc", ".warc.gz")
JSON_LINES = (".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz")
LARGEST = 50_000_000  # bytes of a record or line: no page is larger
TEXTS = ("url", "text", "title", "date", "language", "encoding")


@dataclass(frozen=True)
class Broken:
    """A place that holds no page: the file, its line (JSON Lines) or record (WARC) from 1 on, and why."""

    path: Path
    number: int
    reason: str

    def __str__(self) -> str:
        place = "line" if self.path.name.endswith(JSON_LINES) else "record"
        return f"{self.path}, {place} {self.number}: {self.reason}"


def archives(path: Path) -> list[Path]:
    """The archives that a path names: itself, or those in a folder, by name. [] when there is none."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    return [each for each in files if each.name.endswith(WARC + JSON_LINES)]


def pages(path: Path, unpacked: int = LARGEST) -> Iterator[PageItem | Broken]:
    """The pages of an archive in their order. A file that ends or breaks in the middle ends with a Broken.

    `unpacked`: bytes of a body in a WARC file, at most, when it is decompressed.
    """
    read = json_lines(path) if path.name.endswith(JSON_LINES) else warc(path, unpacked)
    number = 0
    try:
        for number, found in read:
            yield Broken(path, number, found) if isinstance(found, str) else found
    except (OSError, EOFError, zlib.error) as error:
        yield Broken(path, number + 1, f"the file cannot be read further: {error}")


def json_lines(path: Path) -> Iterator[tuple[int, PageItem | str]]:
    """(line, page or what is wrong) of every line that is not blank."""
    with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
        for number, line in enumerate(_lines(file), 1):
            if line is None:
                yield number, f"longer than {LARGEST:,} bytes"
            elif line.strip():
                yield number, _parsed(line)


def warc(path: Path, unpacked: int = LARGEST) -> Iterator[tuple[int, PageItem | str]]:
    """(record, page or what is wrong) of every response; what is no page of HTML is passed over."""
    with path.open("rb") as file:
        kind = WarcRecordType.response
        records = ArchiveIterator(file, record_types=kind, parse_http=False)
        for number, record in enumerate(records, 1):
            found = _recorded(record, unpacked)
            if found is not None:
                yield number, found


def _lines(file: BufferedIOBase) -> Iterator[bytes | None]:
    """The lines of a file; None for one longer than LARGEST, which is never in memory as a whole."""
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
        given.pop("text", None)  # the article is extracted from the page, as in a crawl
    elif not given.get("text"):
        return "neither 'html' nor 'text'"
    own = values.get("id")
    return PageItem(html=html, id=None if own in (None, "") else str(own), **given)


def _is_text(value: object) -> bool:
    return value is None or isinstance(value, str)


def _recorded(record: WarcRecord, unpacked: int) -> PageItem | str | None:
    url = (record.headers.get("WARC-Target-URI") or "").strip("<>") or None
    size = record.content_length
    if size > LARGEST:
        return f"{url}: the record is {size:,} bytes long by its header, more than {LARGEST:,}"
    content = record.reader.read()
    if len(content) < size:
        return f"{url}: the record is cut off, it has {len(content):,} of {size:,} bytes"
    http = WarcRecord()  # a copy, for a body that cannot be decoded would end the reading of the file
    http.is_http = True
    http.set_bytes_content(content)
    try:
        http.parse_http(auto_decode="transfer")
        if not _is_page(http):
            return None
        html = _decoded(http, unpacked)
    except (OSError, zlib.error) as error:
        return f"{url}: {error}"
    if len(html) > unpacked:
        return f"{url}: the body unpacks to more than {unpacked:,} bytes"
    return PageItem(url, html, encoding=http.http_charset) if html else f"{url}: the body is missing"


def _decoded(http: WarcRecord, most: int) -> bytes:
    """The body without its Content-Encoding, cut after `most` + 1 bytes. Raises OSError and zlib.error."""
    body: bytes = http.reader.read()
    for name in reversed((http.http_headers.get("Content-Encoding") or "").lower().split(",")):
        coding = name.strip().removeprefix("x-")
        if coding == "gzip":
            body = zlib.decompressobj(wbits=31).decompress(body, most + 1)
        elif coding == "deflate":
            body = zlib.decompressobj(wbits=15 if body[:1] == b"x" else -15).decompress(body, most + 1)
        elif coding not in ("", "identity"):
            raise OSError(f"the body is encoded as {name.strip()!r}, which is not read")
    return body


def _is_page(record: WarcRecord) -> bool:
    headers = record.http_headers
    kind = (record.http_content_type or "text/html").lower()
    return bool(headers and headers.status_code == 200 and "html" in kind)
