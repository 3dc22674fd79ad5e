"""The rows of a file of documents: JSON Lines, CSV or TSV, Parquet, a web archive, or HTML, by its name; of a
folder, all HTML files below it. All but Parquet may be compressed with gzip.

The file `-` is standard input, and holds JSON Lines or a web archive.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from dupgroups.errors import InputError, MissingExtraError

STDIN = Path("-")
HTML = (".html", ".htm", ".xhtml")
Row = dict[str, Any]
_LONGEST = 2**31 - 1  # characters of a CSV field: a page is longer than the 131,072 that Python allows


class Rows:
    """The rows of a file, each with the number of its line, read lazily; `position()` of `size` is read.

    A line that is not a row is an InputError in its place. Raises InputError if the file cannot be read, and
    MissingExtraError for a format without its library. The `size` of standard input is 0.
    `has_our_names`: whether the fields have our names, because the format has none.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.size = 0
        self.position: Callable[[], int] = lambda: 0
        self.has_our_names = _reader(path) in (_web_archive, _html)

    def __iter__(self) -> Iterator[tuple[int, Row | InputError]]:
        with readable(self.path):
            yield from _reader(self.path)(self)

    @contextmanager
    def stream(self) -> Iterator[IO[bytes]]:
        """The content of the file, decompressed."""
        if self.path == STDIN:
            raw = io.BufferedReader(cast(Any, sys.stdin.buffer))
            try:
                yield decompressed(raw)
            finally:
                raw.detach()
            return
        with self.path.open("rb") as file:
            self.size, self.position = self.path.stat().st_size, file.tell
            try:
                yield decompressed(file)
            finally:
                self.position = lambda: self.size


def decompressed(file: io.BufferedReader) -> IO[bytes]:
    """The content of an open file; the first bytes of one that is compressed with gzip say so."""
    is_packed = file.peek(2).startswith(b"\x1f\x8b")
    return cast(BinaryIO, gzip.GzipFile(fileobj=file)) if is_packed else file


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Turn the errors of reading a file into an InputError that names it."""
    try:
        yield
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{path}: the gzip file is damaged: {error}") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error


def _reader(path: Path) -> Callable[[Rows], Iterator[tuple[int, Row | InputError]]]:
    suffix = Path(path.name.lower().removesuffix(".gz")).suffix
    if suffix in HTML or path.is_dir():
        return _html
    readers = {".csv": _csv, ".tsv": _csv, ".parquet": _parquet, ".warc": _web_archive}
    return readers.get(suffix, _json_lines)


def _json_lines(rows: Rows) -> Iterator[tuple[int, Row | InputError]]:
    with rows.stream() as lines:
        if rows.path == STDIN and cast(io.BufferedReader, lines).peek(5).startswith(b"WARC/"):
            rows.has_our_names = True
            yield from _archived(lines)
        for number, line in enumerate(lines, start=1):
            if line.strip():
                yield number, _json_row(line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line)


def _json_row(line: bytes) -> Row | InputError:
    try:
        values = json.loads(line)
    except (ValueError, RecursionError) as error:
        return InputError(f"not JSON ({error})")
    return values if isinstance(values, dict) else InputError("not a JSON object")


def _csv(rows: Rows) -> Iterator[tuple[int, Row | InputError]]:
    csv.field_size_limit(_LONGEST)
    with rows.stream() as stream, io.TextIOWrapper(stream, "utf-8-sig", newline="") as text:
        reader = csv.DictReader(text, delimiter="\t" if ".tsv" in rows.path.name.lower() else ",")
        try:
            for row in reader:
                wide = None in row
                yield reader.line_num, InputError("more cells than the header has") if wide else row
        except (csv.Error, UnicodeDecodeError) as error:
            where = f"{rows.path} cannot be read after line {reader.line_num}"
            raise InputError(f"{where}: {error}: save it as CSV in UTF-8") from error


def _parquet(rows: Rows) -> Iterator[tuple[int, Row | InputError]]:
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    except ModuleNotFoundError as error:
        raise MissingExtraError("parquet", "A Parquet file") from error
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
        yield from _archived(file)


def _archived(file: IO[bytes]) -> Iterator[tuple[int, Row | InputError]]:
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
                html = decompressed(raw).read()
        except InputError as error:
            yield number, error
        else:
            yield number, {"id": file.as_posix(), "html": html} if html else InputError(f"{file} is empty")
