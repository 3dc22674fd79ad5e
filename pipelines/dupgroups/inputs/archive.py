"""The pages of a web archive (WARC): its responses that are HTML, unpacked. Needs fastwarc."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any

from dupgroups.errors import MissingExtraError
from dupgroups.inputs.records import Record, records
from dupgroups.model import Page

try:
    from fastwarc.warc import WarcRecord

    from dupgroups.inputs.bodies import unpacked
except ModuleNotFoundError as error:
    raise MissingExtraError("warc", "A web archive") from error

LARGEST = 10_000_000  # bytes of the unpacked body of a response, as in a crawl (DOWNLOAD_MAXSIZE)
HEAD = 100_000  # bytes of the HTTP head before it


def pages(file: IO[bytes], longest: int = LARGEST, head: int = HEAD) -> Iterator[tuple[int, Page | str]]:
    """The number, from 1, and the page of every response that is an HTML page; of every broken record, and of
    a page longer than `longest` bytes, what is wrong with it in place of the page.

    Raises OSError, EOFError or zlib.error where the rest of the file cannot be read.
    """
    for number, record in enumerate(records(file, longest + head), 1):
        page = _recorded(record, longest)
        if page is not None:
            yield number, page


def _recorded(record: Record, longest: int) -> Page | str | None:
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
        html = unpacked(http, longest) if record.is_whole else None
    except OSError as error:
        return broken or f"{record.url}: {error}"
    if html is None:
        return f"{record.url}: the body is longer than {longest:,} bytes"
    if not html:
        return f"{record.url}: the body is missing"
    return Page(record.url, html, encoding=http.http_charset)


def _is_page(response: Any) -> bool:
    headers = response.http_headers
    kind = (response.http_content_type or "text/html").lower()
    return bool(headers and headers.status_code == 200 and "html" in kind)
