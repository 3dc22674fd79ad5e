"""The form of the answers of the API: JSON that people can read, and tables that spreadsheets can, of results
and stories, the names of their columns first.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from io import StringIO
from typing import Any

from starlette.responses import JSONResponse, Response

from dupgroups.model import Results
from dupgroups.presentation.story import Story, Ties, spread_rows
from dupgroups.text.csv_writer import csv_writer
from dupgroups.text.snippets import CLOSE, OPEN

HITS = ("group", "size", "matching", "sites", "id", "title", "site", "date", "language", "author", "url")
COPIES = ("id", "site", "title", "published", "first_seen", "minutes", "cut", "added", "url")
_ESCAPES = {ord(mark): f"\\u{ord(mark):04x}" for mark in (OPEN, CLOSE)}  # no font has these
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # how a cell begins that a spreadsheet computes


class Json(JSONResponse):
    """Values as indented JSON."""

    def render(self, content: Any) -> bytes:
        """The answer in UTF-8."""
        return json.dumps(content, ensure_ascii=False, indent=1).translate(_ESCAPES).encode()


class Table(Response):
    """Rows as CSV. What a spreadsheet would compute begins with an apostrophe: it comes from a web page."""

    media_type = "text/csv"

    def __init__(self, rows: Iterable[Sequence[Any]]) -> None:
        out = StringIO()
        csv_writer(out).writerows(map(_cell, row) for row in rows)
        super().__init__(out.getvalue(), headers={"Content-Disposition": 'inline; filename="dup-groups.csv"'})


def hit_rows(results: Results) -> Iterator[Sequence[Any]]:
    """The hits, each with the copy that is shown."""
    yield HITS
    for hit in results.hits:
        values = asdict(hit) | asdict(hit.shown)
        yield [values[name] for name in HITS]


def copy_rows(story: Story, ties: Ties) -> Iterator[Sequence[Any]]:
    """The copies of a story in the order of their publication, and how many words they changed."""
    yield COPIES
    titles = {copy.id: copy.title for copy in story.copies}
    for row in spread_rows(ties.spread):
        change = ties.changes.get(row["id"])
        values = row | {"title": titles[row["id"]]} | (asdict(change) if change else {})
        yield [values.get(name) for name in COPIES]


def _cell(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
