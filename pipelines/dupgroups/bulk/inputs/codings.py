"""The codings of an archived body (RFC 9110, 8.4; RFC 9112, 7.1): undone where its bytes have them.

The headers of an archive are those of the server, and many archives keep them with a body that they store
unpacked. So the first bytes decide, and a header counts only for codings that do not mark theirs.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Collection
from io import BytesIO
from typing import Any

from fastwarc.stream_io import BrotliReader, ZstdReader

Undo = Callable[[bytes, int], bytes]
MAX_CODINGS = 4  # codings of one body
_PIECE_BYTES = 65_536  # bytes that are unpacked at a time: as a whole, 5 MB can take gigabytes
_GZIP, _ZSTD = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r\n")
_MARKUP = re.compile(rb"(?:\xef\xbb\xbf)?\s*<|\xfe\xff|\xff\xfe")  # no packed body begins so
_BINARY = re.compile(rb"[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_LOOKED_AT = 1_000  # bytes


def undo_codings(body: bytes, named: Collection[str], longest: int) -> bytes:
    """The body without the codings that it has; `named` are those of its headers.

    A body that is cut off gives what there is, an empty one b"". Raises OSError if it is damaged, or longer
    than `longest` bytes.
    """
    left = set(named)
    for _ in range(MAX_CODINGS):
        name = _coding(body, left)
        if name is None:
            break
        left.discard(name)
        try:
            body = _UNDO[name](body, longest)
        except (OSError, zlib.error) as error:
            if name not in ("br", "deflate") or _BINARY.search(body[:_LOOKED_AT]):
                raise OSError(f"its body ({name}) is damaged") from error
            # else only the headers call it packed
    if len(body) > longest:
        raise OSError(f"the body is longer than {longest:,} bytes")
    return body


def _coding(body: bytes, named: Collection[str]) -> str | None:
    """The outermost coding of a body; None for a page as it is."""
    if body.startswith(_GZIP):
        return "gzip"
    if body.startswith(_ZSTD):
        return "zstd"
    if _is_chunked(body, surely="chunked" in named):
        return "chunked"
    if not body or _MARKUP.match(body):
        return None
    return next((name for name in ("br", "deflate") if name in named), None)


def _is_chunked(body: bytes, *, surely: bool) -> bool:
    """Whether it begins with a chunk; `surely`: the chunk may be cut off."""
    if (size := _CHUNK.match(body)) is None:
        return False
    end = size.end() + int(size[1], 16)
    return body.startswith(b"\r\n", end) or (surely and end >= len(body) - 1)


def _join_chunks(body: bytes, longest: int) -> bytes:
    parts, place = [], 0
    while place < len(body) and (size := _CHUNK.match(body, place)) and (length := int(size[1], 16)):
        parts.append(body[size.end() : size.end() + length])
        place = size.end() + length + len(b"\r\n")
    if place < len(body) and not _CHUNK.match(body, place):
        raise OSError("no chunk begins here")
    return b"".join(parts)


def _inflate(body: bytes, longest: int) -> bytes:
    """Unpack gzip, zlib or deflate, also in several members; of more than `longest` bytes the first."""
    is_zlib = body[0] & 15 == 8 and int.from_bytes(body[:2], "big") % 31 == 0
    bits = 47 if is_zlib or body.startswith(_GZIP) else -15
    plain = bytearray()
    while body and len(plain) <= longest:
        inflater = zlib.decompressobj(bits)
        plain += inflater.decompress(body, longest + 1 - len(plain))
        body = inflater.unused_data if inflater.unused_data.startswith(_GZIP) else b""
    return bytes(plain)


def _read(reader: Callable[[Any], Any]) -> Undo:
    def undo(body: bytes, longest: int) -> bytes:
        stream, plain = reader(BytesIO(body)), bytearray()
        while len(plain) <= longest and (piece := stream.read(_PIECE_BYTES)):
            plain += piece
        return bytes(plain)

    return undo


_UNDO: dict[str, Undo] = {"br": _read(BrotliReader), "zstd": _read(ZstdReader), "chunked": _join_chunks}
_UNDO |= dict.fromkeys(("deflate", "gzip"), _inflate)
