"""Files that are compressed with gzip or Zstandard: their first bytes say so, whatever their names."""

from __future__ import annotations

import gzip
import io
from typing import IO, Any, BinaryIO, cast

from dupgroups.errors import MissingExtraError

_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"


def decompressed(file: io.BufferedReader) -> IO[bytes]:
    """The content of an open file. MissingExtraError for Zstandard without its library."""
    beginning = file.peek(4)
    if beginning.startswith(_GZIP):
        return cast(BinaryIO, gzip.GzipFile(fileobj=file))
    return io.BufferedReader(_Zstd(file)) if beginning.startswith(_ZSTD) else file


class _Zstd(io.RawIOBase):
    """A stream of Zstandard frames as a file."""

    def __init__(self, file: IO[bytes]) -> None:
        try:
            from fastwarc.stream_io import ZstdReader
        except ModuleNotFoundError as error:
            raise MissingExtraError("warc", "A file compressed with Zstandard") from error
        self._reader = ZstdReader(file)

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """See io.RawIOBase."""
        piece: bytes = self._reader.read(len(buffer))
        buffer[: len(piece)] = piece
        return len(piece)
