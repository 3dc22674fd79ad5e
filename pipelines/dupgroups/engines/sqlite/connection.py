"""The connection to a SQLite file, or to a database in memory, and its transactions."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import quote

from dupgroups.engines.base import Block
from dupgroups.engines.sqlite import schema as sql
from dupgroups.engines.sqlite.story_table import write_stories
from dupgroups.engines.sqlite.text_search import TEMPORARY
from dupgroups.engines.url import EngineURL
from dupgroups.errors import ConfigError, EngineError, MissingIndexError

WAL_PAGES = 50_000  # 200 MB of log before a checkpoint: inserts are 1.4 times as fast as with the default
CACHE_KIB = 64_000  # KiB of pages in memory: with the default, 2,000, a look-up reads most of its pages again


TIMEOUT_SECONDS = 10.0  # seconds that a writer waits for another one

_DAMAGED_FILE = "the file is damaged: restore it from a backup or crawl into a new one"
_CAUSES = {  # part of an error message of SQLite: what it means and what to do
    "locked": "another process is writing to it: try again, or wait longer with ?timeout=SECONDS",
    "disk is full": "the disk is full: free some space; what was stored before is safe",
    "disk I/O error": "the disk is full or failing: free some space; what was stored before is safe",
    "readonly": "it is read-only: let this user write to the file and its directory",
    "unable to open": "it cannot be opened: it must be a file in a directory that exists and is writable",
    "not a database": "it is not a SQLite database: name another file",
    "malformed": _DAMAGED_FILE,
    "vtable constructor failed": _DAMAGED_FILE,
    "closed": "it is already closed: open it again",
}


@dataclass(frozen=True, slots=True)
class File:
    """A database file, or in memory for the path None. `timeout`: seconds to wait for another writer."""

    path: Path | None
    timeout: float
    must_exist: bool

    @classmethod
    def of(cls, url: EngineURL) -> File:
        """The file that a URL names. Raises ConfigError for an invalid URL or a missing file."""
        if url.kind == "memory":
            if url.host or url.path or url.options:
                raise ConfigError("the memory engine takes no path and no options: write memory://")
            return cls(None, TIMEOUT_SECONDS, must_exist=False)
        if url.host or not url.path or "\0" in url.path:
            raise ConfigError("name the file after three slashes, as in sqlite:///news.db")
        path = Path(url.path).absolute()
        if url.must_exist and not path.exists():
            raise MissingIndexError(f"there is no file {path}: name a file that a crawl has written")
        if unknown := sorted(url.options.keys() - {"timeout"}):
            raise ConfigError(f"{url}: unknown option {unknown[0]!r}; known: timeout")
        return cls(path, url.number("timeout", TIMEOUT_SECONDS, 0.001, 86_400), url.must_exist)

    @property
    def uri(self) -> str:
        """The URI for SQLite. What this user may not write is only read; where nobody else has it open,
        without the files that writers share.
        """
        if self.path is None:
            return "file::memory:"
        mode = "rw" if self.must_exist else "rwc"
        effective = os.access in os.supports_effective_ids
        places = (self.path, self.path.parent)
        if self.must_exist and not all(
            os.access(place, os.W_OK, effective_ids=effective) for place in places
        ):
            has_writer = self.path.with_name(f"{self.path.name}-wal").exists()
            mode = "ro" if has_writer else "ro&immutable=1"
        return f"file:{quote(os.fsencode(self.path))}?mode={mode}"


def _has(query: str, db: sqlite3.Connection) -> bool:
    return bool(db.execute(query).fetchone()[0])


def meaning(message: str) -> str:
    """Explain an error message of SQLite, and say what to do."""
    return next((cause for part, cause in _CAUSES.items() if part in message), f"SQLite says: {message}")


class SQLiteConnection(Block):
    """A database that is open; any thread may use it, and transactions run one at a time. `name`: its URL.

    Raises ConfigError for a file that cannot be used, EngineError if another process keeps it locked.
    """

    def __init__(self, url: EngineURL) -> None:
        self.name = str(url)
        self._lock = threading.RLock()
        self._file = File.of(url)
        try:
            self._db = self._connection()
            try:
                self._set_up()
            except BaseException:
                self._db.close()
                raise
        except sqlite3.Error as error:
            raise self._explain(error, ConfigError) from error

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def _forget_searches(self) -> None:
        """Called when what was read before may not be true any more."""

    def _connection(self) -> sqlite3.Connection:
        uri, timeout = self._file.uri, self._file.timeout
        return sqlite3.connect(uri, timeout, uri=True, isolation_level=None, check_same_thread=False)

    def _set_up(self) -> None:
        """Create the tables of a new file."""
        is_new = self._is_new()  # before any change
        self._patiently(lambda: self._db.execute("PRAGMA journal_mode = WAL"))
        # a power failure may lose the last batches, but never a part of one
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute(f"PRAGMA wal_autocheckpoint = {WAL_PAGES}")
        self._db.execute("PRAGMA temp_store = MEMORY")
        self._db.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        if is_new:
            self._make_missing(lambda db: not self._is_new(), sql.TABLES.split(";"))
        # what files lack that were made before there was any: sources and owners, revisions, stories
        self._make_missing(partial(_has, sql.HAS_SOURCES), sql.SOURCES)
        self._patiently(lambda: self._db.execute(sql.REVISIONS))
        for statement in (TEMPORARY, sql.TEMPORARY, *sql.TOUCHED_GROUPS):
            self._db.execute(statement)
        self._make_missing(partial(_has, sql.HAS_STORIES), sql.STORIES, write_stories)
        for statement in sql.STORY_TRIGGERS:
            self._db.execute(statement)

    def _is_new(self) -> bool:
        """Whether the file is empty. Raises ConfigError if it is not ours, or of another version."""
        mark, version, tables = self._db.execute(sql.IDENTITY).fetchone()
        if (mark, version, tables) == (0, 0, 0):
            return True
        if mark != sql.APPLICATION_ID:
            raise ConfigError(f"{self.name} is the database of another program: name another file")
        if version != sql.SCHEMA_VERSION:
            which = f"version {version} of its tables, not {sql.SCHEMA_VERSION}"
            raise ConfigError(
                f"{self.name} was written by another version of dup-groups ({which}): name another file"
            )
        return False

    def _make_missing(
        self,
        is_made: Callable[[sqlite3.Connection], bool],
        statements: Iterable[str],
        fill: Callable[[sqlite3.Connection], object] = lambda db: None,
    ) -> None:
        """Make tables or columns, and fill them, unless they are there."""

        def make() -> None:
            if is_made(self._db):
                return
            with self.transaction("IMMEDIATE") as db:
                if not is_made(db):  # no other process was faster
                    for statement in statements:
                        db.execute(statement)
                    fill(db)

        self._patiently(make)

    def _patiently(self, step: Callable[[], object]) -> None:
        """Retry a step: SQLite itself does not wait while another process creates the file."""
        end = time.monotonic() + self._file.timeout
        while True:
            try:
                step()
                return
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > end:
                    raise
                time.sleep(0.02)

    @contextmanager
    def transaction(self, kind: str = "DEFERRED") -> Iterator[sqlite3.Connection]:
        """Commit everything that is done in the block, or nothing; SQLite errors become EngineErrors."""
        with self._lock:
            try:
                self._db.execute(f"BEGIN {kind}")
                if kind == "IMMEDIATE":  # somebody writes
                    self._forget_searches()
                yield self._db
                self._db.execute("COMMIT")
            except BaseException as error:
                with suppress(sqlite3.Error):  # closed, or already rolled back by SQLite
                    self._db.execute("ROLLBACK")
                if isinstance(error, sqlite3.Error):
                    raise self._explain(error, EngineError) from error
                raise

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """A transaction for which other calls do not wait: on a connection of its own, except in memory."""
        if self._file.path is None:
            with self.transaction() as db:
                yield db
            return
        try:
            with closing(self._connection()) as db:
                db.execute("BEGIN")
                yield db
        except sqlite3.Error as error:
            raise self._explain(error, EngineError) from error

    def _explain(self, error: sqlite3.Error, kind: type[ConfigError] | type[EngineError]) -> Exception:
        what = meaning(str(error))
        if "locked" in str(error):
            return EngineError(f"{self.name}: {what}", temporary=True)
        return kind(f"{self.name}: {what}")
