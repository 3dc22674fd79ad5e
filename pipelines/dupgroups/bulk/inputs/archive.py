"""The pages of a web archive (WARC, ISO 28500): its responses that are HTML, unpacked. Needs fastwarc.

Readers that are made for speed pass over a record that is cut off or not as long as it says. Here such a
record comes with its problem.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any

from dupgroups.errors import require_extra
from dupgroups.model import Page

with require_extra("warc", "A web archive"):
    from fastwarc.warc import WarcRecord

    from dupgroups.bulk.inputs.codings import undo_codings

MAX_BODY_BYTES = 10_000_000  # bytes of the unpacked body of a response, as in a crawl (DOWNLOAD_MAXSIZE)
MAX_HEAD_BYTES = 100_000  # bytes of the HTTP head before it


def pages(file: IO[bytes]) -> Iterator[tuple[int, Page | str]]:
    """The number, from 1, and the page of every response that is an HTML page; of every broken record, and of
    a page longer than MAX_BODY_BYTES bytes, what is wrong with it in place of the page.

    Raises OSError, EOFError or zlib.error where the rest of the file cannot be read.
    """
    for number, record in enumerate(records(file, MAX_BODY_BYTES + MAX_HEAD_BYTES), 1):
        page = _read_record(record)
        if page is not None:
            yield number, page


def _read_record(record: Record) -> Page | str | None:
    broken = f"{record.url}: {record.problem}" if record.problem else None
    if record.head.get("warc-type") != "response":
        return broken
    http = WarcRecord()
    http.is_http = True
    http.set_bytes_content(record.block)
    try:
        http.parse_http()
        if broken or not _is_page(http):
            return broken
        html = undo_codings(http.reader.read(), _codings(http), MAX_BODY_BYTES) if record.is_whole else None
    except OSError as error:
        return broken or f"{record.url}: {error}"
    if html is None:
        return f"{record.url}: the body is longer than {MAX_BODY_BYTES:,} bytes"
    if not html:
        return f"{record.url}: the body is missing"
    return Page(record.url, html, encoding=http.http_charset)


def _is_page(response: Any) -> bool:
    headers = response.http_headers
    kind = (response.http_content_type or "text/html").lower()
    return bool(headers and headers.status_code == 200 and "html" in kind)


def _codings(response: WarcRecord) -> set[str]:
    """The encoding of the body according to the headers."""
    names = (response.http_headers.get(name) or "" for name in ("Content-Encoding", "Transfer-Encoding"))
    return {name.strip().lower() for name in ",".join(names).split(",")}


_LONGEST_LINE = 65_536  # bytes of a line of a head, and number of its lines
_SKIP_BYTES = 1_000_000  # bytes that are passed over at once


@dataclass
class Record:
    """A record: its head, names in lower case; its block, or the beginning; "" or what is wrong with it."""

    head: dict[str, str]
    block: bytes
    is_whole: bool
    problem: str = ""

    @property
    def url(self) -> str | None:
        """The address that was fetched."""
        return self.head.get("warc-target-uri", "").strip("<>") or None


def records(file: IO[bytes], longest: int) -> Iterator[Record]:
    """Every record in order, with at most `longest` bytes of its block.

    Raises OSError where no record begins, also for an empty file, EOFError where a gzipped file is cut off.
    """
    _, line = _next_line(file)
    if not line:
        raise OSError("it has no records")
    while line:
        if not line.startswith(b"WARC/"):
            raise OSError("no record begins here")
        head = _head(file)
        length = _length(head)
        block = file.read(min(length, longest))
        there = len(block) + _passed_over(file, length - len(block))
        record = Record(head, block, is_whole=len(block) == length)
        try:
            blanks, line = _next_line(file)
        except (EOFError, OSError, zlib.error):
            yield record  # which is there, whatever follows
            raise
        if there < length:
            record.problem = f"cut off: only {there:,} of {length:,} bytes are there"
        elif line and not line.startswith(b"WARC/") and blanks < 2:
            record.problem = f"not {length:,} bytes long as it says; the rest of the file is not read"
            line = b""
        yield record


def _next_line(file: IO[bytes]) -> tuple[int, bytes]:
    """The number of blank lines, and the line after them; b"" at the end of the file."""
    blanks = 0
    while (line := file.readline(_LONGEST_LINE)) and not line.strip():
        blanks += 1
    return blanks, line


def _head(file: IO[bytes]) -> dict[str, str]:
    head: dict[str, str] = {}
    for _ in range(_LONGEST_LINE):
        line = file.readline(_LONGEST_LINE)
        if not line:
            raise OSError("it ends in the head of a record")
        if not line.strip():
            return head
        name, _, value = line.decode(errors="replace").partition(":")
        head[name.strip().lower()] = value.strip()
    raise OSError("the head of a record does not end")


def _length(head: dict[str, str]) -> int:
    given = head.get("content-length", "")
    if not (given.isascii() and given.isdigit() and len(given) < 20):
        raise OSError("a record does not say how long it is")
    return int(given)


def _passed_over(file: IO[bytes], length: int) -> int:
    """How many of the next `length` bytes there are."""
    left = length
    while left and (piece := file.read(min(left, _SKIP_BYTES))):
        left -= len(piece)
    return length - left
