"""Pages that could not be stored, kept in a file until `dup-groups replay` feeds them again.

The file is JSON Lines, one page a line: `time` (ISO 8601, UTC), `reason` (a sentence), and the fields of the
Page that are set; html that came as bytes stands as base64 under `html_base64`. Several crawls may
write to it while it is replayed: a replay takes its lines away under another name, and crawls begin it anew.
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
    """The time in ISO 8601 with microseconds; later times are greater strings."""
    return datetime.now(timezone.utc).isoformat(timespec="microseconds")


def microseconds(time: str) -> int:
    """A time of `utc_now` as microseconds since 1970, to be compared with `Record.last_seen`."""
    return round(datetime.fromisoformat(time).timestamp() * 1_000_000)


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A page, why it was not stored, and when it came."""

    page: Page
    reason: str
    time: str


def dumps(letter: DeadLetter) -> bytes:
    """The letter as one line of JSON, newline included."""
    values = {each.name: getattr(letter.page, each.name) for each in fields(Page)}
    if isinstance(values["html"], bytes):
        values["html_base64"] = base64.b64encode(values.pop("html")).decode("ascii")
    given = {key: value for key, value in values.items() if value is not None}
    line = {"time": letter.time, "reason": letter.reason, **given}
    return json.dumps(line, ensure_ascii=True).encode("ascii") + b"\n"  # ASCII also carries lone surrogates


def loads(line: bytes) -> DeadLetter:
    """Read one line back. Raises InputError for a line that no `dumps` has written."""
    try:
        values = json.loads(line)
        letter = DeadLetter(reason=values.pop("reason"), time=values.pop("time"), page=_page(values))
        microseconds(letter.time)  # a time that cannot be read is found here, not later
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise InputError(f"not a dead letter: {error}") from error
    return letter


def _page(values: dict[str, str]) -> Page:
    if not all(isinstance(value, str) for value in values.values()):
        raise TypeError("every field is text")
    encoded = values.pop("html_base64", None)
    html = values.pop("html", None) if encoded is None else base64.b64decode(encoded, validate=True)
    return Page(html=html, **values)


def append(path: Path, letters: Iterable[DeadLetter]) -> None:
    """Add letters at the end and see them safely on the disk.

    All of them or none: where the disk has no room the file is cut back to what it was and OSError is raised.
    """
    append_lines(path, b"".join(map(dumps, letters)))


def append_lines(path: Path, lines: bytes) -> None:
    """Add whole lines as they are; see `append`. Nothing for no lines."""
    if not lines:
        return
    with _locked(path) as file:
        size = file.seek(0, os.SEEK_END)
        try:
            _write(file, lines if _ends_a_line(file) else b"\n" + lines)
            os.fsync(file.fileno())
        except OSError:
            file.truncate(size)
            raise


@contextmanager
def claimed(path: Path) -> Iterator[Path | None]:
    """Take the file away from its writers; yields where it is now, None when there is none.

    It is deleted when the block ends well. When the block does not, or the process is killed, it stays under
    its new name and the next claim finds it, together with the lines that came since. Raises InputError while
    another process has it.
    """
    taken = path.with_name(f"{path.name}.replaying")
    if not (path.exists() or taken.exists()):
        yield None
        return
    with _locked(taken, "another replay is at work on this file; wait for it to end") as file:
        if path.exists():
            with _locked(
                path
            ) as waiting:  # a writer that waits for this lock sees then that its file has gone
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
    """Whether the file is empty or its last line is whole; a writer that was killed leaves half a line."""
    size = file.seek(0, os.SEEK_END)
    if not size:
        return True
    file.seek(-1, os.SEEK_END)
    return file.read(1) == b"\n"


@contextmanager
def _locked(path: Path, busy: str = "") -> Iterator[FileIO]:
    """The file open for appending, unbuffered, and locked where the system has locks; made when missing.

    Waits for the lock, or raises InputError with the sentence `busy` where one is given.
    """
    while True:
        with path.open("a+b", buffering=0) as file:
            _lock(file, busy)
            if _is_at(path, file):
                yield file
                return


def _lock(file: FileIO, busy: str) -> None:
    if sys.platform == "win32":
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | (fcntl.LOCK_NB if busy else 0))
    except BlockingIOError as error:
        raise InputError(f"{file.name}: {busy}") from error


def _is_at(path: Path, file: FileIO) -> bool:
    """Whether the path still names this file: it may have been taken away while we waited for its lock."""
    try:
        return os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False
