"""Files that a command writes: either completely or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from dupgroups.cli.output import STDOUT
from dupgroups.engines import engine_url
from dupgroups.errors import InputError


@contextmanager
def report_write_errors(path: Path) -> Iterator[None]:
    """Turn an OSError of the block, which writes `path`, into an InputError that names `path`."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from error


@contextmanager
def open_for_writing(path: Path) -> Iterator[IO[str]]:
    """A text file that gets its name once it is complete; links stay. InputError if it cannot be written."""
    target = Path(os.path.realpath(path))
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    with report_write_errors(path):
        try:
            with part.open("w", newline="", encoding="utf-8", errors="backslashreplace") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            part.replace(target)
        except BaseException:
            part.unlink(missing_ok=True)
            raise


def check_apart(path: Path, *paths: Path | None) -> None:
    """Raise InputError if the file to be written is one of `others`, under whatever name or link."""
    for other in paths:
        if other and other != STDOUT and _is_same_file(path, other):
            raise InputError(f"{path} is also read or written by this command: name another file")


def check_place(path: Path, *paths: Path | None) -> None:
    """Raise the error that `open_for_writing` would raise, but before the work is done that would be lost.

    `others` are the other files that the command reads or writes; none of them may be `path`.
    """
    if path == STDOUT:
        raise InputError("this result cannot go to standard output (-): name a file")
    check_apart(path, *paths)
    with report_write_errors(path):
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise InputError(f"{path} is not a regular file and would be replaced by one: name another file")
        if path.exists():
            path.open("ab").close()  # its contents stay
        TemporaryFile(dir=Path(os.path.realpath(path)).parent).close()


def files_of_engine(url: str | None) -> list[Path]:
    """The files of the store that `open_engine` opens; [] for a store on a server. Raises ConfigError."""
    parsed = engine_url(url)
    file = Path(parsed.path)
    if parsed.host is not None or not file.name:
        return []
    return [file, *(file.with_name(file.name + end) for end in ("-wal", "-shm"))]


def _is_same_file(path: Path, other: Path) -> bool:
    try:
        return os.path.realpath(path) == os.path.realpath(other) or path.samefile(other)
    except (OSError, ValueError):  # one of them does not exist
        return False
