"""The rows of a file of documents: JSON (lines, a list, a sequence of RFC 7464, or a `_bulk` request), CSV or
TSV, Parquet, a web archive, or a saved page, by its name; of a folder, all pages below it, or else the files
of documents, as parts of one. All but Parquet may be compressed with gzip, bzip2 or xz.

The file `-` is standard input, and holds JSON or a web archive.
"""

from __future__ import annotations

import bz2
import codecs
import csv
import io
import json
import lzma
import re
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from itertools import chain, zip_longest
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from dupgroups.bulk.inputs.delimited import split_records
from dupgroups.bulk.inputs.gzip_members import GzipMembers
from dupgroups.bulk.inputs.json_values import json_values
from dupgroups.bulk.inputs.left_out import CutOffError, NoPageError
from dupgroups.bulk.inputs.saved_pages import (
    SUFFIXES,
    files_below,
    is_part_of_a_page,
    looks_saved,
    read_saved,
)
from dupgroups.errors import InputError, require_extra
from dupgroups.text.decoding import charset_of

STDIN = Path("-")
JSON = (".jsonl", ".json", ".ndjson", ".jl")
FORMATS = "JSON (.jsonl, .json), CSV or TSV, Parquet, web archives (.warc) and HTML, by their names"
DELIMITERS = ",;\t|"  # of CSV, the usual one first
Row = dict[str, Any]
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UNPACK: dict[bytes, Callable[[IO[bytes]], Any]] = {  # by the first bytes
    b"\x1f\x8b": lambda file: io.BufferedReader(GzipMembers(file), _SAMPLE_BYTES),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\0": lzma.LZMAFile,
}
_ZSTD = b"\x28\xb5\x2f\xfd"
_SQLITE_START = b"SQLite format 3\0"
_SPREADSHEET_STARTS = (b"PK\3\4", b"\xd0\xcf\x11\xe0")  # .xlsx, .ods and .zip; .xls
_SAMPLE_BYTES = 131_072  # bytes at the beginning of a file that tell its charset
_BLANKS = " \t\r\n"  # what may stand around an object
_BEGIN_OF_TEXT = "\x1e"  # in a sequence of RFC 7464
_NULLS = ("\\N", "NULL")  # as databases write a cell that holds nothing
_DELETE_ACTION: Row = {}  # the action after which no document follows
_ACTION_KEYS = frozenset(
    "_index _id _type _routing routing version version_type if_seq_no if_primary_term require_alias pipeline"
    " retry_on_conflict op_type list_executed_pipelines dynamic_templates".split()
)  # of a line of a `_bulk` request
Reader = Callable[["Rows"], Iterator[tuple[int, Row | InputError]]]


class Rows:
    """The rows of a file, each with the number of its line, read lazily; `position()` of `size` is read.

    A line that is not a row is an InputError in its place, also what cannot be read after others. Raises
    InputError if nothing can be read, and MissingExtraError for a format without its library. The `size` of
    standard input is 0.
    `has_our_names`: whether the fields have our names, because the format has none. `is_named`: whether the
    name of the file says its format; any other is read as JSON. `holds_many`: whether it says documents.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.size = 0
        self.position: Callable[[], int] = lambda: 0
        self.has_our_names = _reader(path) in (_web_archive, _read_saved, _folder)
        self.holds_many = _holds_many(path)
        self.is_named = self.holds_many or is_page(path) or path == STDIN or path.is_dir()

    def __iter__(self) -> Iterator[tuple[int, Row | InputError]]:
        number = 0
        try:
            with readable(self.path):
                for number, row in _reader(self.path)(self):
                    yield number, row
        except InputError as error:
            if not number:
                raise
            yield number + 1, CutOffError(f"damaged: {error}")

    @contextmanager
    def stream(self) -> Iterator[IO[bytes]]:
        """The content of the file, decompressed."""
        if self.path == STDIN:
            yield open_decompressed(standard_input())
            return
        with self.path.open("rb", _SAMPLE_BYTES) as file:
            self.size = self.path.stat().st_size
            self.position = file.tell
            try:
                yield open_decompressed(cast(io.BufferedReader, file))
            finally:
                self.position = lambda: self.size


def standard_input() -> io.BufferedReader:
    """Standard input in bytes. A further buffer would wait until it is full, but lines come one by one."""
    given = sys.stdin.buffer
    return given if isinstance(given, io.BufferedReader) else io.BufferedReader(cast(Any, given))


def open_decompressed(file: io.BufferedReader) -> IO[bytes]:
    """The content of an open file; the first bytes of one that is compressed say so. Raises OSError for zstd,
    which Python does not read.
    """
    head = file.peek(len(_ZSTD))
    if head.startswith(_ZSTD):
        raise OSError("it is compressed with zstd: write `zstdcat FILE | dup-groups ... -`")
    unpack = next((unpack for mark, unpack in _UNPACK.items() if head.startswith(mark)), None)
    return cast(BinaryIO, unpack(file)) if unpack else file


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Turn the errors of reading a file into an InputError that names it."""
    try:
        yield
    except (EOFError, zlib.error, lzma.LZMAError) as error:
        raise InputError(f"{path}: the compressed file is damaged: {error}") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error


def _suffix(path: Path) -> str:
    name = Path(path.name.lower())
    return Path(name.stem).suffix if name.suffix in (".gz", ".bz2", ".xz") else name.suffix


def is_page(path: Path) -> bool:
    """Whether the name of a file says that it is one page."""
    return _suffix(path) in SUFFIXES


def _holds_many(path: Path) -> bool:
    return _suffix(path) in (*_READERS, *JSON)


def _reader(path: Path) -> Reader:
    if path.is_dir():
        return _folder
    return _read_saved if is_page(path) else _READERS.get(_suffix(path), _json)


def _json(rows: Rows) -> Iterator[tuple[int, Row | InputError]]:
    """An object on each line, or a list, or objects one after another: the first line says which."""
    with rows.stream() as stream:
        if rows.path == STDIN and _head(stream).startswith(b"WARC/"):
            rows.has_our_names = True
            yield from _archive_rows(stream)
            return
        with _text(stream, rows.path) as text:
            lines = enumerate(text, start=1)
            number, first = next(((number, line) for number, line in lines if line.strip(_BLANKS)), (0, ""))
            first = first.lstrip(_BLANKS)
            if first.startswith(_BEGIN_OF_TEXT):
                yield from enumerate(map(_json_row, _texts_of_sequence(chain([first], text))), start=1)
                return
            if _begins_values(first):
                try:
                    yield from enumerate(map(_row, json_values(text, first)), start=1)
                except InputError as error:
                    raise InputError(f"{rows.path} cannot be read to its end: {error}") from error
                return
            filled = ((at, line) for at, line in chain([(number, first)], lines) if line.strip(_BLANKS))
            yield from _with_actions((at, _json_row(line)) for at, line in filled)


def _texts_of_sequence(lines: Iterator[str]) -> Iterator[str]:
    """The texts of a sequence; one that is cut off costs none of those after it."""
    begun = ""
    for line in lines:
        rest, *following = line.split(_BEGIN_OF_TEXT)
        for text in following:
            if begun.strip(_BLANKS) or rest:
                yield begun + rest + "\n"
            begun, rest = "", text
        begun += rest
    yield begun


def _begins_values(line: str) -> bool:
    """Whether a first line begins a list, an object of several lines, or holds several objects."""
    if line.startswith("[") or line.strip() == "{":
        return True
    try:
        json.loads(line)
    except json.JSONDecodeError as error:
        return error.msg == "Extra data" and line.startswith("{")
    except (ValueError, RecursionError):  # a number of more digits than Python reads
        pass
    return False


def _json_row(line: str) -> Row | InputError:
    try:
        return _row(json.loads(line.lstrip(_BLANKS)))
    except (ValueError, RecursionError) as error:
        if line.endswith("\n") or not line.startswith("{"):
            return InputError(f"not JSON ({error})")
        return CutOffError(f"the file ends inside a record: not JSON ({error})")


def _with_actions(rows: Iterator[tuple[int, Row | InputError]]) -> Iterator[tuple[int, Row | InputError]]:
    """The rows; those of a `_bulk` request without its actions, each with the id that its action gives."""
    for number, row in rows:
        action = _action(row)
        if action is None:
            yield number, row
        elif action is not _DELETE_ACTION:
            number, row = next(rows, (number, CutOffError("the file ends inside a record: after an action")))
            if isinstance(row, dict):
                row = next((row[name] for name in ("doc", "upsert") if isinstance(row.get(name), dict)), row)
                row = row if action.get("_id") is None else {**row, "id": str(action["_id"])}
            yield number, row


def _action(row: Row | InputError) -> Row | None:
    """The value of a line of a `_bulk` request that is about the next one; None for any other line."""
    if not isinstance(row, dict) or len(row) != 1:
        return None
    ((name, value),) = row.items()
    is_action = name in ("index", "create", "update", "delete") and isinstance(value, dict)
    if not is_action or not _ACTION_KEYS.issuperset(value):
        return None
    return _DELETE_ACTION if name == "delete" else value


def _row(value: Any) -> Row | InputError:
    return value if isinstance(value, dict) else InputError("not a JSON object")


def _csv(rows: Rows) -> Iterator[tuple[int, Row | InputError]]:
    with rows.stream() as stream, _text(stream, rows.path) as text:
        first = text.readline()
        named = re.match(r"sep=(.)\r?\n", first)  # as Excel writes, and it alone
        delimiter = named[1] if named else "\t"
        if not named and _suffix(rows.path) not in (".tsv", ".tab"):  # of one or in doubt, the usual one
            columns = {sign: next(csv.reader([first], delimiter=sign), ()) for sign in DELIMITERS}
            delimiter = max(columns, key=lambda sign: len(columns[sign]))
        lines = iter(text) if named else chain([first], text)
        _, names = next(split_records(lines, delimiter, 0), (0, ()))
        if isinstance(names, InputError):
            raise InputError(f"{rows.path}: its header cannot be read: {names}")
        header = [name.strip() for name in names]
        for number, cells in split_records(lines, delimiter, len(header)):
            yield number + 1 + bool(named), _table_row(header, cells)


def _table_row(columns: Sequence[str], cells: Sequence[str] | InputError) -> Row | InputError:
    """The cells by their columns; of columns with one name, the first cell that holds something."""
    if isinstance(cells, InputError):
        return cells
    if [*map(str.strip, cells)] == columns:
        return NoPageError("the header again")
    if any(cells[len(columns) :]):
        return InputError("more cells than the header has")
    row: Row = {}
    for name, cell in zip_longest(columns, cells[: len(columns)]):
        row[name] = row.get(name) or (None if cell in _NULLS else cell)
    return row


def _head(stream: IO[bytes]) -> bytes:
    return cast(io.BufferedReader, stream).peek(_SAMPLE_BYTES)


@contextmanager
def _text(stream: IO[bytes], path: Path) -> Iterator[io.TextIOWrapper]:
    """The text of a file in the charset of its beginning, with its line ends.

    Bytes that are not UTF-8, behind a beginning that is (or is ASCII), are read as Windows-1252: all other
    charsets show earlier.
    """
    head = _head(stream)
    if head.startswith(_SPREADSHEET_STARTS):
        raise InputError(f"{path} is a workbook or another packed file: save it as CSV in UTF-8")
    if head.startswith(_SQLITE_START):
        raise InputError(f"{path} is a SQLite database: read it as JSON, from `sqlite3 -json {path} QUERY`")
    if head.startswith(_UTF_16):
        encoding, errors = "utf-16", "ignore"
    else:
        encoding, errors = charset_of(head), "replace"
    if encoding == "utf-8":
        encoding, errors = "utf-8-sig", _WINDOWS
    text = io.TextIOWrapper(stream, encoding, errors, newline="")
    try:
        yield text
    finally:
        text.detach()  # who opened the stream closes it


def _read_as_windows(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


_WINDOWS = "dupgroups-windows-1252"
codecs.register_error(_WINDOWS, _read_as_windows)


def _parquet(rows: Rows) -> Iterator[tuple[int, Row | InputError]]:
    with require_extra("parquet", "A Parquet file"):
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    try:
        with ParquetFile(rows.path) as file:
            number, rows.size, rows.position = 0, file.metadata.num_rows, lambda: number
            pieces = (_values_of(batch) for batch in file.iter_batches(batch_size=100))
            for number, row in enumerate(chain.from_iterable(pieces), start=1):
                yield number, row
    except ArrowException as error:
        raise InputError(f"{rows.path} is not a Parquet file: {error}") from error


def _values_of(batch: Any) -> list[Row]:
    """The rows of a batch. A value that Python does not have, such as a date of the year 12000, is None."""
    try:
        rows: list[Row] = batch.to_pylist()
    except (OverflowError, ValueError, LookupError):
        columns = [[*map(_value_of, column)] for column in batch.columns]
        return [dict(zip(batch.schema.names, values, strict=True)) for values in zip(*columns, strict=True)]
    return rows


def _value_of(scalar: Any) -> Any:
    from pyarrow import timestamp, types

    try:
        if types.is_timestamp(scalar.type) and scalar.is_valid:  # in whole microseconds, in a known zone
            scalar = scalar.cast(timestamp("us", scalar.type.tz and "UTC"), safe=False)
        return scalar.as_py()
    except (OverflowError, ValueError, LookupError):
        return None


def _web_archive(rows: Rows) -> Iterator[tuple[int, Row | InputError]]:
    with rows.stream() as file:
        yield from _archive_rows(file)


def _archive_rows(file: IO[bytes]) -> Iterator[tuple[int, Row | InputError]]:
    from dupgroups.bulk.inputs.archive import pages

    for number, page in pages(file):
        yield number, page if isinstance(page, InputError) else asdict(page)


def _read_saved(rows: Rows) -> Iterator[tuple[int, Row | InputError]]:
    yield 1, _saved_row(rows.path)


def _saved_row(file: Path, *, is_listed: bool = True) -> Row | InputError:
    """A saved page, whose id is its path, or what else a file is that is not `is_listed` among the pages."""
    if not is_listed:
        kind = NoPageError if is_part_of_a_page(file) else InputError
        return kind(f"{file.suffix or 'nameless'} file: {file}")
    try:
        with readable(file), file.open("rb") as raw:
            row = read_saved(open_decompressed(raw).read())
    except InputError as error:
        return InputError(f"damaged: {error}")
    return {"id": file.as_posix(), **row} if row["html"].strip() else InputError(f"empty: {file}")


def _folder(rows: Rows) -> Iterator[tuple[int, Row | InputError]]:
    """The pages below a folder, by their names or beginnings; without any, the rows of its other files, as
    parts of one. Every other file is an error in its place.
    """
    files = files_below(rows.path)
    pages = {file for file in files if is_page(file) or _begins_page(file)}
    parts = {file for file in files if not pages and _holds_many(file)}
    if not pages and not parts:
        raise InputError(f"{rows.path}: there are no pages in this folder, and no files of {FORMATS}")
    if parts:  # beside which tools leave notes of their own, such as _SUCCESS
        files = [file for file in files if not file.name.startswith("_")]
    number, done, rows.size, rows.position = 0, 0, len(files), lambda: done
    for file in files:
        done += 1
        for row in _part(rows, file) if file in parts else [_saved_row(file, is_listed=file in pages)]:
            number += 1
            yield number, row


def _begins_page(file: Path) -> bool:
    if _holds_many(file) or is_part_of_a_page(file):
        return False
    try:
        with readable(file), file.open("rb") as raw:
            return looks_saved(_head(open_decompressed(raw)))
    except InputError:
        return False


def _part(rows: Rows, file: Path) -> Iterator[Row | InputError]:
    part = Rows(file)
    try:
        for _, row in part:
            rows.has_our_names = part.has_our_names
            yield row
    except InputError as error:
        yield CutOffError(f"damaged: {error}")


_READERS: dict[str, Reader] = {
    ".csv": _csv,
    ".tsv": _csv,
    ".tab": _csv,
    ".parquet": _parquet,
    ".warc": _web_archive,
    ".wet": _web_archive,
}
