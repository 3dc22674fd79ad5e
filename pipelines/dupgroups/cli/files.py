"""Files that a command writes: whole or not at all."""

from __future__ import annotations

import csv
import errno
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryFile
from typing import IO

from dupgroups.errors import InputError


@contextmanager
def written(path: Path, errors: str = "backslashreplace") -> Iterator[IO[str]]:
    """A text file to write to; it takes its name only when it is complete. Raises InputError if it can't."""
    try:
        with NamedTemporaryFile(
            "w", dir=path.parent, delete=False, newline="", encoding="utf-8", errors=errors
        ) as file:
            try:
                yield file
                file.flush()
                os.fsync(file.fileno())
                Path(file.name).chmod(0o666 & ~_umask())
                Path(file.name).replace(path)
            except BaseException:
                Path(file.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        raise _refusal(path, error) from error


def check_place(path: Path, *others: Path | None) -> None:
    """Raise what `written` would raise in the end, before the work is done that would be lost.

    `others` are the files that the command reads and those that it writes besides: none may be `path`.
    """
    for other in others:
        if other and path.resolve() == other.resolve():
            raise InputError(f"{path} would be written over what the command reads or writes: name another")
    try:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if path.exists() and not path.is_file():
            raise InputError(f"{path} is no plain file, and would be replaced by one: name another")
        with TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise _refusal(path, error) from error


def write_csv(path: Path, header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    """Write a whole CSV file or none."""
    with written(path) as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])


def _refusal(path: Path, error: OSError) -> InputError:
    return InputError(f"{path} cannot be written: {error.strerror or error}")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
