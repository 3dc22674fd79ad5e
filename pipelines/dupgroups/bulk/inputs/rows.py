"""The rows of a file of documents: JSON (lines or a list), CSV or TSV, Parquet, a web archive, or HTML, by
its name; of a folder, all HTML files below it. All but Parquet may be compressed with gzip, bzip2 or xz.

The file `-` is standard input, and holds JSON or a web archive.
"""

from __future__ import annotations

import bz2
import codecs
import csv
import gzip
import io
import json
import lzma
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import IO, Any, BinaryIO, TextIO, cast

from dupgroups.bulk.inputs.json_values import json_values
from dupgroups.errors import InputError, require_extra
from dupgroups.text.decoding import charset_of

STDIN = Path("-")
HTML = (".html", ".htm", ".xhtml")
JSON = (".jsonl", ".json", ".ndjson", ".jl")
FORMATS = "JSON (.jsonl, .json), CSV or TSV, Parquet, web archives (.warc) and HTML, by their names"
DELIMITERS = ",;\t|"  # of CSV, the usual one first
Row = dict[str, Any]
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UNPACK: dict[bytes, Callable[[IO[bytes]], Any]] = {  # by the first bytes
    b"\x1f\x8b": lambda file: gzip.GzipFile(fileobj=file),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\0": lzma.LZMAFile,
}
_ZSTD = b"\x28\xb5\x2f\xfd"
_SPREADSHEET_STARTS = (b"PK\3\4", b"\xd0\xcf\x11\xe0")  # .xlsx, .ods and .zip; .xls
_SAMPLE_BYTES = 131_072  # bytes at the beginning of a file that tell its charset
_MAX_CSV_CHARS = 2**31 - 1  # characters of a CSV field: a page is longer than the 131,072 that Python allows
Reader = Callable[["Rows"], Iterator[tuple[int, Row | InputError]]]


class Rows:
    """The rows of a file, each with the number of its line, read lazily; `position()` of `size` is read.

    A line that is not a row is an InputError in its place. Raises InputError if the file cannot be read, and
    MissingExtraError for a format without its library. The `size` of standard input is 0.
    `has_our_names`: whether the fields have our names, because the format has none. `is_named`: whether the
    name of the file says its format; any other is read as JSON. `holds_many`: whether it says documents.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.size = 0
        self.position: Callable[[], int] = lambda: 0
        self.has_our_names = _reader(path) in (_web_archive, _html)
        self.holds_many = _suffix(path) in (*_READERS, *JSON)
        self.is_named = self.holds_many or _suffix(path) in HTML or path == STDIN or path.is_dir()

    def __iter__(self) -> Iterator[tuple[int, Row | InputError]]:
        with readable(self.path):
            yield from _reader(self.path)(self)

    @contextmanager
    def stream(self) -> Iterator[IO[bytes]]:
        """The content of the file, decompressed."""
        if self.path == STDIN:
            yield open_decompressed(standard_input())
            return
        with self.path.open("rb", _SAMPLE_BYTES) as file:
            self.size, self.position = self.path.stat().st_size, file.tell
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
    except (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError) as error:
        raise InputError(f"{path}: the compressed file is damaged: {error}") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error


def _suffix(path: Path) -> str:
    name = Path(path.name.lower())
    return Path(name.stem).suffix if name.suffix in (".gz", ".bz2", ".xz") else name.suffix


def _reader(path: Path) -> Reader:
    suffix = _suffix(path)
    return _html if suffix in HTML or path.is_dir() else _READERS.get(suffix, _json)


def _json(rows: Rows) -> Iterator[tuple[int, Row | InputError]]:
    """An object on each line, or a list, or objects one after another: the first line says which."""
    with rows.stream() as stream:
        if rows.path == STDIN and _head(stream).startswith(b"WARC/"):
            rows.has_our_names = True
            yield from _archive_rows(stream)
            return
        with _text(stream, rows.path) as text:
            lines = enumerate(text, start=1)
            number, first = next(((number, line) for number, line in lines if line.strip()), (0, ""))
            if _begins_values(first):
                yield from _values(rows.path, text, first)
                return
            yield from ((at, _json_row(line)) for at, line in chain([(number, first)], lines) if line.strip())


def _values(path: Path, text: TextIO, first: str) -> Iterator[tuple[int, Row | InputError]]:
    try:
        for number, value in enumerate(json_values(text, first), start=1):
            yield number, _row(value)
    except InputError as error:
        raise InputError(f"{path} cannot be read to its end: {error}") from error


def _begins_values(line: str) -> bool:
    """Whether a first line begins a list, an object of several lines, or holds several objects."""
    if line.startswith("[") or line.strip() == "{":
        return True
    try:
        json.loads(line)
    except json.JSONDecodeError as error:
        return error.msg == "Extra data" and line.startswith("{")
    except RecursionError:
        pass
    return False


def _json_row(line: str) -> Row | InputError:
    try:
        return _row(json.loads(line))
    except (ValueError, RecursionError) as error:
        return InputError(f"not JSON ({error})")


def _row(value: Any) -> Row | InputError:
    return value if isinstance(value, dict) else InputError("not a JSON object")


def _csv(rows: Rows) -> Iterator[tuple[int, Row | InputError]]:
    csv.field_size_limit(_MAX_CSV_CHARS)
    with rows.stream() as stream, _text(stream, rows.path) as text:
        line = 0
        try:
            first = text.readline()
            named = re.match(r"sep=(.)\r?\n", first)  # as Excel writes, and it alone
            delimiter = named[1] if named else _delimiter(first, rows.path)
            reader = csv.DictReader(text if named else chain([first], text), delimiter=delimiter)
            reader.fieldnames = [name.strip() for name in reader.fieldnames or ()]
            for row in reader:
                line = reader.line_num + bool(named)
                yield line, InputError("more cells than the header has") if None in row else row
        except csv.Error as error:
            raise InputError(f"{rows.path} cannot be read after line {line}: {error}") from error


def _delimiter(header: str, path: Path) -> str:
    """The separator of the names of a table: where there is only one, or in doubt, the usual one."""
    if ".tsv" in path.name.lower():
        return "\t"
    return max(DELIMITERS, key=lambda delimiter: len(next(csv.reader([header], delimiter=delimiter), ())))


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
            pieces = (batch.to_pylist() for batch in file.iter_batches(batch_size=100))
            for number, row in enumerate(chain.from_iterable(pieces), start=1):
                yield number, row
    except ArrowException as error:
        raise InputError(f"{rows.path} is not a Parquet file: {error}") from error


def _web_archive(rows: Rows) -> Iterator[tuple[int, Row | InputError]]:
    with rows.stream() as file:
        yield from _archive_rows(file)


def _archive_rows(file: IO[bytes]) -> Iterator[tuple[int, Row | InputError]]:
    from dupgroups.bulk.inputs.archive import pages

    for number, page in pages(file):
        if isinstance(page, str):
            yield number, InputError(page)
        else:
            yield number, {"url": page.url, "html": page.html, "encoding": page.encoding}


def _html(rows: Rows) -> Iterator[tuple[int, Row | InputError]]:
    """Files of HTML; the id of each is its path. One that cannot be read is left out."""
    files = [rows.path]
    if rows.path.is_dir():
        files = sorted(file for file in rows.path.rglob("*") if file.suffix.lower() in HTML)
        if not files:
            raise InputError(f"{rows.path}: there is no {', '.join(HTML)} file in this folder")
    number, rows.size, rows.position = 0, len(files), lambda: number
    for number, file in enumerate(files, start=1):
        try:
            with readable(file), file.open("rb") as raw:
                html = open_decompressed(raw).read()
        except InputError as error:
            yield number, error
        else:
            yield number, {"id": file.as_posix(), "html": html} if html else InputError(f"{file} is empty")


_READERS: dict[str, Reader] = {".csv": _csv, ".tsv": _csv, ".parquet": _parquet, ".warc": _web_archive}
