"""A file of pages that could not be stored; `dup-groups replay` processes them again.

The file is JSON Lines, one page per line: `time` (ISO 8601, UTC), `reason` (a sentence), and the fields of
the Page that are set; html that was received as bytes is base64 in `html_base64`. Several crawls may write to
the file during a replay: the replay renames it first, and the crawls start a new one.
"""

from __future__ import annotations

import base64
import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from datetime import datetime, timezone
from io import FileIO
from pathlib import Path

from dupgroups.errors import InputError
from dupgroups.model import Page

if sys.platform != "win32":
    import fcntl


def utc_now() -> str:
    """The current time in ISO 8601 with microseconds; sorting the strings sorts the times."""
    return datetime.now(timezone.utc).isoformat(timespec="microseconds")


def microseconds(time: str) -> int:
    """A time of `utc_now` as microseconds since 1970, comparable with `Record.last_seen`."""
    return round(datetime.fromisoformat(time).timestamp() * 1_000_000)


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A page, why it was not stored, and when it was received."""

    page: Page
    reason: str
    time: str


def dumps(letter: DeadLetter) -> bytes:
    """The letter as one line of JSON, newline included."""
    values = {field.name: getattr(letter.page, field.name) for field in fields(Page)}
    if isinstance(values["html"], bytes):
        values["html_base64"] = base64.b64encode(values.pop("html")).decode("ascii")
    given = {key: value for key, value in values.items() if value is not None}
    line = {"time": letter.time, "reason": letter.reason, **given}
    return json.dumps(line, ensure_ascii=True).encode("ascii") + b"\n"  # ASCII also carries lone surrogates


def loads(line: bytes) -> DeadLetter:
    """Parse a line that `dumps` wrote. Raises InputError for any other line."""
    try:
        values = json.loads(line)
        letter = DeadLetter(reason=values.pop("reason"), time=values.pop("time"), page=_page(values))
        microseconds(letter.time)  # reject an invalid time now, not when it is used
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise InputError(f"not a dead letter: {error}") from error
    return letter


def _page(values: dict[str, str]) -> Page:
    if not all(isinstance(value, str) for value in values.values()):
        raise TypeError("every field must be a string")
    encoded = values.pop("html_base64", None)
    html = values.pop("html", None) if encoded is None else base64.b64decode(encoded, validate=True)
    return Page(html=html, **values)


def append(path: Path, letters: Iterable[DeadLetter]) -> None:
    """Append letters to the file and sync it to disk.

    Either all of them are written or none: if the disk is full, the file is truncated to its former size and
    OSError is raised.
    """
    append_lines(path, b"".join(map(dumps, letters)))


def append_lines(path: Path, lines: bytes) -> None:
    """Append complete lines as they are; see `append`. Does nothing if `lines` is empty."""
    if not lines:
        return
    with _open_locked(path) as file:
        size = file.seek(0, os.SEEK_END)
        try:
            _write(file, lines if _ends_a_line(file) else b"\n" + lines)
            os.fsync(file.fileno())
        except OSError:
            file.truncate(size)
            raise


def is_there(path: Path) -> bool:
    """Whether there is something to replay: the file, or what a killed replay left of it."""
    return path.exists() or _claimed_path(path).exists()


def waiting(path: Path) -> int:
    """The number of pages that wait for a replay; 0 without a file."""
    count = 0
    for there in filter(Path.exists, (path, _claimed_path(path))):
        with there.open("rb") as file:
            count += sum(line.endswith(b"\n") for line in file)
    return count


def _claimed_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.replaying")


@contextmanager
def claim(path: Path) -> Iterator[Path | None]:
    """Rename the file, so that its writers start a new one; yields the new path, or None without a file.

    The renamed file is deleted when the block succeeds. When the block fails, or the process is killed, the
    file remains, and the next claim gets it together with the lines written since. Raises InputError while
    another process has claimed it.
    """
    taken = _claimed_path(path)
    if not is_there(path):
        yield None
        return
    with _open_locked(taken, "another replay is processing this file: wait until it has finished") as file:
        if path.exists():
            # a writer that waits for this lock notices afterwards that its file is gone
            with _open_locked(path) as waiting:
                _write(file, b"" if _ends_a_line(file) else b"\n")
                waiting.seek(0)
                while chunk := waiting.read(1 << 20):
                    _write(file, chunk)
                os.fsync(file.fileno())
                path.unlink()
        yield taken
        taken.unlink()


def _write(file: FileIO, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) or 0 :]


def _ends_a_line(file: FileIO) -> bool:
    """Whether the file is empty or ends with a newline; a killed writer may leave an incomplete line."""
    size = file.seek(0, os.SEEK_END)
    if not size:
        return True
    file.seek(-1, os.SEEK_END)
    return file.read(1) == b"\n"


@contextmanager
def _open_locked(path: Path, busy: str = "") -> Iterator[FileIO]:
    """Open the file for appending, unbuffered, create it if missing, and lock it if the system has locks.

    Waits for the lock; with a sentence `busy`, raises InputError with that sentence instead of waiting.
    """
    while True:
        with path.open("a+b", buffering=0) as file:
            if sys.platform != "win32":
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | (fcntl.LOCK_NB if busy else 0))
                except BlockingIOError as error:
                    raise InputError(f"{file.name}: {busy}") from error
            if _is_at(path, file):
                yield file
                return


def _is_at(path: Path, file: FileIO) -> bool:
    """Whether the path still names this file: a replay may have moved it while we waited for the lock."""
    try:
        return os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False
