"""The records of a web archive (WARC, ISO 28500), one after another, each checked against its own length.

Readers that are made for speed pass over a record that is cut off or not as long as it says. Here such a
record comes with its problem.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

_LONGEST_LINE = 65_536  # bytes of a line of a head, and number of its lines
_PIECE = 1_000_000  # bytes that are passed over at once


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
    while left and (piece := file.read(min(left, _PIECE))):
        left -= len(piece)
    return length - left
