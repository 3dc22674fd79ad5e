"""A gzipped file (RFC 1952), read beyond a damaged member: those after it are whole files of their own."""

from __future__ import annotations

import io
import re
import zlib
from typing import IO

_WINDOW_BITS = 31  # those that ask for the header of gzip
_PIECE_BYTES = 131_072
_BEGIN = re.compile(rb"\x1f\x8b\x08[\0-\x1f]")
_BREAK = b"\r\n\r\n"  # in place of what is lost: a line ends there, and a record of an archive


class GzipMembers(io.RawIOBase):
    """The content of all members. After the last one a damage is raised: zlib.error, or EOFError where the
    file ends inside a member.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._packed = b""
        self._member = zlib.decompressobj(_WINDOW_BITS)
        self._damage: EOFError | zlib.error | None = None

    def readable(self) -> bool:
        """It can be read."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Unpack the next bytes into the buffer: their number, 0 at the end."""
        plain = b""
        while not plain and self._next_piece():
            try:
                plain = self._member.decompress(self._packed, len(buffer))
                self._packed = self._member.unconsumed_tail or self._member.unused_data
            except zlib.error as error:
                self._damage = self._damage or error
                self._skip()
                plain = _BREAK
        buffer[: len(plain)] = plain
        return len(plain)

    def _next_piece(self) -> bool:
        """Whether there is something to unpack. Raises the damage where there is nothing more."""
        if self._member.eof:
            self._packed = self._packed.lstrip(b"\0")  # with which tapes are filled
        self._packed = self._packed or self._file.read(_PIECE_BYTES)
        if self._packed and self._member.eof:
            self._member = zlib.decompressobj(_WINDOW_BITS)
            return self._next_piece()
        if not self._packed and not self._member.eof:
            raise self._damage or EOFError("Compressed file ended before the end-of-stream marker")
        if not self._packed and self._damage:
            raise self._damage
        return bool(self._packed)

    def _skip(self) -> None:
        """Go on where the next member begins, or to the end of the file."""
        self._packed = self._packed[1:]
        self._member = zlib.decompressobj(_WINDOW_BITS)
        while not (begin := _BEGIN.search(self._packed)):
            piece = self._file.read(_PIECE_BYTES)
            self._packed = self._packed[-3:] + piece if piece else b""
            if not piece:
                return
        self._packed = self._packed[begin.start() :]
