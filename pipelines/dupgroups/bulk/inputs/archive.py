"""The pages of a web archive (WARC): its responses that are HTML, unpacked. Needs fastwarc."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import IO, Any

from dupgroups.bulk.inputs.records import Record, records
from dupgroups.errors import MissingExtraError
from dupgroups.model import Page

try:
    from fastwarc.stream_io import BrotliReader, ChunkedReader, GzipReader, ZstdReader
    from fastwarc.warc import WarcRecord
except ModuleNotFoundError as error:
    raise MissingExtraError("warc", "A web archive") from error

LARGEST = 10_000_000  # bytes of the unpacked body of a response, as in a crawl (DOWNLOAD_MAXSIZE)
HEAD = 100_000  # bytes of the HTTP head before it

_PIECE = 65_536  # bytes of a body that are unpacked at a time: as a whole, 5 MB can take gigabytes
_READERS: dict[str, Callable[[Any], Any]] = {
    "br": BrotliReader,
    "chunked": ChunkedReader,
    "deflate": lambda packed: GzipReader(packed, zlib=True),
    "gzip": GzipReader,
    "identity": lambda plain: plain,
    "x-gzip": GzipReader,
    "zstd": ZstdReader,
}


def pages(file: IO[bytes]) -> Iterator[tuple[int, Page | str]]:
    """The number, from 1, and the page of every response that is an HTML page; of every broken record, and of
    a page longer than LARGEST bytes, what is wrong with it in place of the page.

    Raises OSError, EOFError or zlib.error where the rest of the file cannot be read.
    """
    for number, record in enumerate(records(file, LARGEST + HEAD), 1):
        page = _recorded(record)
        if page is not None:
            yield number, page


def _recorded(record: Record) -> Page | str | None:
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
        html = _unpacked(http) if record.is_whole else None
    except OSError as error:
        return broken or f"{record.url}: {error}"
    if html is None:
        return f"{record.url}: the body is longer than {LARGEST:,} bytes"
    if not html:
        return f"{record.url}: the body is missing"
    return Page(record.url, html, encoding=http.http_charset)


def _is_page(response: Any) -> bool:
    headers = response.http_headers
    kind = (response.http_content_type or "text/html").lower()
    return bool(headers and headers.status_code == 200 and "html" in kind)


def _unpacked(response: WarcRecord) -> bytes:
    """The body of a response as the server meant it; OSError if it is damaged, or longer than LARGEST."""
    reader = response.reader
    for encoding in _encodings(response):
        if encoding not in _READERS:
            raise OSError(f"unknown encoding {encoding!r}")
        reader = _READERS[encoding](reader)
    body = bytearray()
    while piece := reader.read(_PIECE):
        body += piece
        if len(body) > LARGEST:
            raise OSError(f"the body is longer than {LARGEST:,} bytes")
    return bytes(body)


def _encodings(response: WarcRecord) -> list[str]:
    """In the order in which they are undone: the last one applied comes first."""
    names = (response.http_headers.get(name) or "" for name in ("Content-Encoding", "Transfer-Encoding"))
    encodings = (encoding.strip().lower() for encoding in ",".join(names).split(","))
    return [encoding for encoding in encodings if encoding][::-1]
