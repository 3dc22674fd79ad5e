"""The records of CSV and TSV as they are written: with quotes (RFC 4180), with backslashes, or with neither.

The format has no sign that tells these apart, and a quote that never closes would swallow all rows after it.
So a record that is not well formed with quotes, or whose lines are rows by themselves, is one line.
"""

from __future__ import annotations

import csv
import re
from collections import deque
from collections.abc import Iterator, Sequence

from dupgroups.bulk.inputs.left_out import CutOffError
from dupgroups.errors import InputError

_MAX_CELL_CHARS = 100_000_000  # characters of a cell: a page is longer than the 131,072 that Python allows
_FEWEST_LINES = {"\t": 2}  # in which the cells of text hardly have the separators of rows by chance
_FEWEST_PROSE_LINES = 4  # the same for commas, which prose has


class _Tape:
    """Lines, of which the last ones can be taken again."""

    def __init__(self, lines: Iterator[str]) -> None:
        self.taken: list[str] = []
        self._lines = lines
        self._again = deque[str]()

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        self.taken.append(self._again.popleft() if self._again else next(self._lines))
        return self.taken[-1]

    def put_back(self, kept: int = 0) -> None:
        """Give what was taken once more, but for the first `kept` lines."""
        self._again.extendleft(reversed(self.taken[kept:]))
        del self.taken[kept:]


def split_records(
    lines: Iterator[str], delimiter: str, width: int
) -> Iterator[tuple[int, Sequence[str] | InputError]]:
    """The cells of each record of a table with `width` columns, and the number of its first line, from 1.

    A CutOffError stands for a record in which the table ends. Blank lines are passed over.
    """
    csv.field_size_limit(_MAX_CELL_CHARS)
    tape = _Tape(lines)
    is_quoted = False
    number = 0
    fewest = _FEWEST_LINES.get(delimiter, _FEWEST_PROSE_LINES)
    strict = csv.reader(tape, delimiter=delimiter, strict=True, skipinitialspace=True)
    escaped = csv.reader(
        tape, delimiter=delimiter, strict=True, skipinitialspace=True, escapechar="\\", doublequote=False
    )
    while True:
        tape.taken.clear()
        try:
            cells: Sequence[str] | InputError | None = _read_record(strict, tape)
            if cells is None and any('\\"' in line for line in tape.taken):
                tape.put_back()
                cells = _read_record(escaped, tape)
        except StopIteration:
            return
        # a record may be several, because each of its lines has all columns
        may_be_rows = len(tape.taken) >= fewest and (not is_quoted or delimiter == "\t")
        if cells is not None and len(tape.taken) == 1:
            is_quoted |= '"' in tape.taken[0]
        elif cells is None or (
            may_be_rows and all(line.count(delimiter) == width - 1 > 0 for line in tape.taken)
        ):
            cells = _first_line(tape, delimiter, width, is_quoted=is_quoted)
        else:
            is_quoted = True
        if cells:
            yield number + 1, cells
        number += len(tape.taken)


def _read_record(reader: Iterator[list[str]], tape: _Tape) -> list[str] | None:
    """The cells of the next record; None if it is not well formed."""
    try:
        return next(reader)
    except csv.Error:
        return None


def _is_row(line: str, delimiter: str, width: int) -> bool:
    """Whether a line is a record by itself, well formed and with all columns."""
    try:
        return len(next(csv.reader([line], delimiter=delimiter, strict=True), ())) == width
    except csv.Error:
        return False


def _first_line(tape: _Tape, delimiter: str, width: int, *, is_quoted: bool) -> Sequence[str] | InputError:
    """The cells of the first line of a record that is not well formed; the other lines are read again.

    In a table with quotes, an open one at the end of the file is where that was cut off.
    """
    first, *rest = tape.taken
    rows = sum(_is_row(line, delimiter, width) for line in rest)
    ends = (not rest and not first.endswith("\n")) or (rest and is_quoted and 2 * rows < len(rest))
    if first.count('"') % 2 and ends and _is_last(tape):
        return CutOffError("the file ends inside a record: a quote does not close")
    tape.put_back(kept=1)
    line = first.rstrip("\r\n")
    plain = line.split(delimiter)
    mark = re.escape(delimiter)  # a quote that is not before it closes nothing
    quoted = re.findall(rf'(?:^|{mark}) *(?:"(.*?)(?:" *(?={mark}|$)|$)|([^{mark}]*))', line)
    cells = [inside.replace('""', '"') or outside for inside, outside in quoted]
    fitting = [cells for cells in (cells, plain) if len(cells) == width]
    if not fitting and '"' in first:
        return InputError("its quotes do not close, and it has not the cells of the header")
    return plain if delimiter == "\t" or not fitting else fitting[0]


def _is_last(tape: _Tape) -> bool:
    """Whether no line follows those taken."""
    try:
        next(tape)
    except StopIteration:
        return True
    tape.put_back(kept=len(tape.taken) - 1)
    return False
