"""The pages of a web archive (WARC, ISO 28500): responses and resources that are HTML, unpacked, and the
texts of WET. Needs fastwarc.

Readers that are made for speed pass over a record that is cut off or not as long as it says, or end there.
Here such a record comes with its problem, and the next one is looked for.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import IO

from dupgroups.bulk.inputs.left_out import CutOffError, NoPageError
from dupgroups.bulk.inputs.saved_pages import looks_saved
from dupgroups.errors import InputError, require_extra
from dupgroups.model import Page
from dupgroups.text.decoding import decode

with require_extra("warc", "A web archive"):
    from fastwarc.warc import WarcRecord

    from dupgroups.bulk.inputs.codings import undo_codings

MAX_BODY_BYTES = 10_000_000  # bytes of the unpacked body of a response, as in a crawl (DOWNLOAD_MAXSIZE)
MAX_HEAD_BYTES = 100_000  # bytes of the HTTP head before it


def pages(file: IO[bytes]) -> Iterator[tuple[int, Page | InputError]]:
    """The number, from 1, and the page of every record that holds one; for any other, why there is none.

    Raises OSError, EOFError or zlib.error where the rest of the file cannot be read.
    """
    for number, record in enumerate(records(file, MAX_BODY_BYTES + MAX_HEAD_BYTES), 1):
        try:
            yield number, _read_record(record)
        except InputError as error:
            yield number, error
        except OSError as error:
            yield number, InputError(f"{record.url}: {error}")


def _read_record(record: Record) -> Page:
    """The page of a record. Raises InputError or OSError if there is none."""
    kind, _, parameters = record.head.get("content-type", "").lower().partition(";")
    named = record.head.get("warc-type", "")
    if named == "continuation":
        raise InputError(f"{record.url}: the rest of a page in segments")
    if named not in ("response", "resource", "conversion"):
        _check_whole(record)
        raise NoPageError(named or "record without a type")
    is_page = looks_saved(record.block)  # without an HTTP head
    is_answer = record.block.startswith(b"HTTP/") or not kind.startswith("text/")
    if named == "response" and is_answer and not is_page:
        return _read_response(record)
    _check_whole(record)
    if is_page:
        kind = "text/html"
    if kind not in ("text/html", "application/xhtml+xml", "text/plain"):
        raise NoPageError(kind or named)
    charset = re.search(r"charset=[\"']?([\w.:-]+)", parameters)
    encoding = charset[1] if charset else None
    if kind == "text/plain":
        language = record.head.get("warc-identified-content-language", "").partition(",")[0]
        return Page(record.url, text=decode(record.block, encoding), language=language or None)
    return Page(record.url, record.block, encoding=encoding)


def _check_whole(record: Record) -> None:
    if record.problem:
        kind = CutOffError if record.is_last else InputError
        raise kind(": ".join(filter(None, (record.url, record.problem))))


def _read_response(record: Record) -> Page:
    end = _HEAD_END.search(record.block)
    head = _LF.sub(b"\r\n", record.block[: end.end()]) if end else b""  # some tools end lines with LF alone
    http = WarcRecord()
    http.is_http = True
    http.set_bytes_content(head + record.block[end.end() :] if end else record.block)
    http.parse_http()
    kind = (http.http_content_type or "text/html").lower()
    _check_whole(record)
    if not http.http_headers:
        raise OSError("it has no HTTP head")
    status = http.http_headers.status_code
    if status != 200 or "html" not in kind:
        raise NoPageError(kind.partition(";")[0] if status == 200 else f"status {status}")
    fields = (http.http_headers.get(name) or "" for name in ("Content-Encoding", "Transfer-Encoding"))
    codings = {name.strip().lower() for name in ",".join(fields).split(",")}
    html = undo_codings(http.reader.read(), codings, MAX_BODY_BYTES) if record.is_whole else None
    if html is None:
        raise OSError(f"the body is longer than {MAX_BODY_BYTES:,} bytes")
    if not html:
        raise OSError("the body is missing")
    return Page(record.url, html, encoding=http.http_charset)


_HEAD_END = re.compile(rb"\r?\n\r?\n")
_LF = re.compile(rb"\r?\n")
_BEGIN = re.compile(rb"(?:\n\r?\n|(?=WARC/1\.\d\r?\nWARC-))(WARC/1\.\d\r?\n)")  # or in a line
_LONGEST_LINE = 65_536  # bytes of a line of a head, and number of its lines
_SKIP_BYTES = 1_000_000  # bytes that are passed over at once


@dataclass
class Record:
    """A record: its head, names in lower case; its block, or the beginning; "" or what is wrong with it."""

    head: dict[str, str]
    block: bytes
    is_whole: bool
    problem: str = ""
    is_last: bool = False  # the file ends inside it

    @property
    def url(self) -> str | None:
        """The address that was fetched."""
        return self.head.get("warc-target-uri", "").strip("<>") or None


def records(file: IO[bytes], longest: int) -> Iterator[Record]:
    """Every record in order, with at most `longest` bytes of its block. What stands between two records, and
    a record without a length, come with their problem; the next record is looked for in what follows.

    Raises OSError where no record begins the file, also for an empty file, EOFError where a gzipped file is
    cut off.
    """
    tape = _Tape(file)
    _, line = _next_line(tape)
    if not line.startswith(b"WARC/"):
        raise OSError("no record begins here" if line else "it has no records")
    while line:
        is_record = line.startswith(b"WARC/")
        record = _read_one(tape, longest) if is_record else Record({}, b"", False, "no record begins here")
        try:
            line = _begin_of_next(tape, record)
        except (EOFError, OSError, zlib.error):
            yield record  # which is there, whatever follows
            raise
        yield record


class _Tape:
    """A file to which what was read can be put back."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._back = BytesIO()

    def read(self, size: int) -> bytes:
        data = self._back.read(size)
        return data + self._file.read(size - len(data)) if len(data) < size else data

    def readline(self) -> bytes:
        """The next line, or its first _LONGEST_LINE bytes."""
        line = self._back.readline(_LONGEST_LINE)
        if line.endswith(b"\n") or len(line) == _LONGEST_LINE:
            return line
        return line + self._file.readline(_LONGEST_LINE - len(line))

    def put_back(self, data: bytes) -> None:
        self._back = BytesIO(data + self._back.read())


def _next_line(tape: _Tape) -> tuple[bytes, bytes]:
    """Blank lines, and the line after them; b"" at the end of the file."""
    blanks = b""
    while (line := tape.readline()) and not line.strip(b"\0 \t\r\n"):  # with holes that a disk left
        blanks = (blanks + line)[-_LONGEST_LINE:]
    return blanks, line.lstrip(b"\0")


def _read_one(tape: _Tape, longest: int) -> Record:
    try:
        head = _head(tape)
        length = _length(head)
    except InputError as error:
        return Record({}, b"", False, str(error), isinstance(error, CutOffError))
    block = tape.read(min(length, longest))
    left = length - len(block)
    while left and (piece := tape.read(min(left, _SKIP_BYTES))):
        left -= len(piece)
    problem = f"cut off: only {length - left:,} of {length:,} bytes are there" if left else ""
    return Record(head, block, len(block) == length, problem, is_last=bool(left))


def _begin_of_next(tape: _Tape, record: Record) -> bytes:
    """The first line of the next record, also inside of a block that is not as long as it says."""
    blanks, line = _next_line(tape)
    if not record.problem and (not line or line.startswith(b"WARC/") or blanks.count(b"\n") > 1):
        return line
    following = record.block + blanks + line
    if inside := _BEGIN.search(following):
        tape.put_back(following[inside.end() :])
        line = inside[1]
        record.is_last = False
    if record.head and not record.is_last:
        record.problem = f"not as long as it says: {record.head['content-length']} bytes"
    while line and not line.startswith(b"WARC/"):
        line = tape.readline()
    return line


def _head(tape: _Tape) -> dict[str, str]:
    head, name = dict[str, str](), ""
    for _ in range(_LONGEST_LINE):
        line = tape.readline()
        if not line:
            raise CutOffError("cut off: it ends in the head of a record")
        if not line.strip():
            return head
        if head and line[:1] in b" \t":  # the line before goes on
            head[name] += line.decode(errors="replace").strip()
            continue
        name, _, value = line.decode(errors="replace").partition(":")
        name = name.strip().lower()
        head[name] = value.strip()
    raise InputError("the head of a record does not end")


def _length(head: dict[str, str]) -> int:
    given = head.get("content-length", "")
    if not (given.isascii() and given.isdigit() and len(given) < 20):
        raise InputError("a record does not say how long it is")
    return int(given)
