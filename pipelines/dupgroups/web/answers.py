"""The form of the answers of the API: JSON that people can read, and tables that spreadsheets can."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Sequence
from io import StringIO
from typing import Any

from starlette.responses import JSONResponse, Response

from dupgroups.text.snippets import CLOSE, OPEN

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
        csv.writer(out, lineterminator="\n").writerows(map(_cell, row) for row in rows)
        super().__init__(out.getvalue(), headers={"Content-Disposition": 'inline; filename="dup-groups.csv"'})


def _cell(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
