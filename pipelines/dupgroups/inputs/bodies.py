"""The body of an archived response as the server meant it: unpacked, piece by piece and up to a limit.

Unpacked as a whole, a body of 5 MB can take gigabytes of memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastwarc.stream_io import BrotliReader, ChunkedReader, GzipReader, ZstdReader
from fastwarc.warc import WarcRecord

_PIECE = 65_536
_READERS: dict[str, Callable[[Any], Any]] = {
    "br": BrotliReader,
    "chunked": ChunkedReader,
    "deflate": lambda packed: GzipReader(packed, zlib=True),
    "gzip": GzipReader,
    "identity": lambda plain: plain,
    "x-gzip": GzipReader,
    "zstd": ZstdReader,
}


def unpacked(response: WarcRecord, longest: int) -> bytes:
    """The body of a response with a parsed head; OSError if it is damaged, or longer than `longest`."""
    reader = response.reader
    for encoding in _encodings(response):
        if encoding not in _READERS:
            raise OSError(f"unknown encoding {encoding!r}")
        reader = _READERS[encoding](reader)
    body = bytearray()
    while piece := reader.read(_PIECE):
        body += piece
        if len(body) > longest:
            raise OSError(f"the body is longer than {longest:,} bytes")
    return bytes(body)


def _encodings(response: WarcRecord) -> list[str]:
    """In the order in which they are undone: the last one applied comes first."""
    names = (response.http_headers.get(name) or "" for name in ("Content-Encoding", "Transfer-Encoding"))
    encodings = (encoding.strip().lower() for encoding in ",".join(names).split(","))
    return [encoding for encoding in encodings if encoding][::-1]
