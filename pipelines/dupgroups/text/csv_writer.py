"""Rows as CSV with line feeds, in which cells with a carriage return are quoted (RFC 4180, 2.6).

Before Python 3.11.9 and 3.12.3 the csv module quotes it only if it is in the line end.
"""

from __future__ import annotations

import csv
from typing import IO, Any, NamedTuple


class _LineFeeds(NamedTuple):
    file: IO[str]

    def write(self, row: str) -> None:
        self.file.write(row.removesuffix("\r\n") + "\n")


def csv_writer(file: IO[str]) -> Any:
    """A writer of the csv module for a text file."""
    return csv.writer(_LineFeeds(file), lineterminator="\r\n")
