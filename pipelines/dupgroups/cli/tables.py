"""Write a table to a file: Parquet, JSON Lines, or else CSV, by its name; `-` is standard output."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal

from dupgroups.cli.files import check_place, open_for_writing
from dupgroups.cli.output import STDOUT
from dupgroups.errors import InputError, require_extra
from dupgroups.text.batches import batches
from dupgroups.text.csv_writer import csv_writer

if TYPE_CHECKING:
    import pyarrow as pa

Cell = str | float | bool | None
Format = Literal["csv", "jsonl"]

UNWRITTEN_FORMATS = (".xlsx", ".xls", ".ods", ".json", ".xml", ".html")  # formats that nobody wants CSV in
BATCH_ROWS = 10_000  # rows of a Parquet file that are written together


def check_result(path: Path, *paths: Path | None) -> None:
    """Raise the error of `write_table` now, before the work is done; `others` as in `check_place`."""
    if path != STDOUT:
        check_place(path, *paths)
    if path.suffix.lower() in UNWRITTEN_FORMATS:
        raise InputError(f"{path} cannot be written: name a file that ends in .csv, .jsonl or .parquet")
    if path.suffix.lower() == ".parquet":
        with require_extra("parquet", "A Parquet file"):
            import pyarrow.parquet  # noqa: F401


def write_table(
    path: Path, header: Sequence[str], rows: Iterable[Sequence[Cell]], *, piped: Format = "csv"
) -> None:
    """Write a table, either completely or not at all; standard output, as `piped` says, row by row.

    In CSV, fractions have six decimals, and None is empty. Only columns of whole numbers may have None.
    """
    if path == STDOUT:
        {"csv": _csv, "jsonl": _json_lines}[piped](sys.stdout, header, rows)
        sys.stdout.flush()
        return
    with open_for_writing(path) as file:
        if path.suffix.lower() == ".parquet":
            _parquet(file, header, rows)
        elif path.suffix.lower() in (".jsonl", ".ndjson"):
            _json_lines(file, header, rows)
        else:
            _csv(file, header, rows)


def _json_lines(file: IO[str], header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    file.writelines(
        json.dumps(dict(zip(header, row, strict=True)), ensure_ascii=False) + "\n" for row in rows
    )


def _csv(file: IO[str], header: Sequence[Cell], rows: Iterable[Sequence[Cell]]) -> None:
    csv_writer(file).writerows(map(_cell, row) for row in chain([header], rows))


def _cell(cell: Cell) -> str:
    if isinstance(cell, float):
        return f"{cell:.6f}"
    return str(cell).lower() if isinstance(cell, bool) else "" if cell is None else str(cell)


def _parquet(file: IO[str], header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    from pyarrow import parquet

    chunks = batches(rows, BATCH_ROWS)
    first = _table(header, next(chunks, []))
    with parquet.ParquetWriter(file.buffer, first.schema) as writer:  # type: ignore[attr-defined]
        writer.write_table(first)
        for chunk in chunks:
            writer.write_table(_table(header, chunk))


def _table(header: Sequence[str], rows: Sequence[Sequence[Cell]]) -> pa.Table:
    import pyarrow as pa

    columns = (pa.array([_encodable(row[place]) for row in rows]) for place in range(len(header)))
    filled = [column.cast(pa.int64()) if pa.types.is_null(column.type) else column for column in columns]
    return pa.table(filled, names=header)


def _encodable(cell: Cell) -> Cell:
    """The cell with lone surrogates, which Arrow refuses, written as in the other formats."""
    return cell.encode("utf-8", "backslashreplace").decode() if isinstance(cell, str) else cell
