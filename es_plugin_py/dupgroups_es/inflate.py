"""Gzip bodies in pieces of bounded size. A body may have several members, as the servers read it."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterable, AsyncIterator, Iterator

PIECE = 262_144  # bytes
GZIP = 31  # window bits that ask for the header of gzip


class Inflater:
    """Takes a body as it arrives. What is cut, or is not gzip from some place on, ends there: so do servers
    read it, and they say what is missing.
    """

    def __init__(self) -> None:
        self._member = zlib.decompressobj(GZIP)
        self._is_broken = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """What these bytes hold, PIECE bytes at most at a time."""
        while data and not self._is_broken:
            if self._member.eof:
                self._member = zlib.decompressobj(GZIP)
            try:
                piece = self._member.decompress(data, PIECE)
            except zlib.error:
                self._is_broken = True
                return
            data = self._member.unused_data if self._member.eof else self._member.unconsumed_tail
            if piece:
                yield piece


async def inflated(body: AsyncIterable[bytes] | bytes | None, is_gzip: bool) -> AsyncIterator[bytes]:
    """What a body holds, as it arrives."""
    inflater = Inflater() if is_gzip else None
    if isinstance(body, bytes | None):
        for piece in inflater.feed(body or b"") if inflater else [body or b""]:
            yield piece
        return
    async for chunk in body:
        for piece in inflater.feed(chunk) if inflater else [chunk]:
            yield piece
