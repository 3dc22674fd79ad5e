"""The file of the SQLite engine: which file a URL names, how to open it, what can be wrong with it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from dupgroups.engines.url import EngineURL
from dupgroups.errors import ConfigError, MissingIndexError

TIMEOUT = 10.0  # seconds that a writer waits for another one

_CAUSES = {  # part of an error message of SQLite: what it means and what to do
    "locked": "another process is writing to it: try again, or wait longer with ?timeout=SECONDS",
    "disk is full": "the disk is full: free some space; what was stored before is safe",
    "disk I/O error": "the disk is full or failing: free some space; what was stored before is safe",
    "readonly": "it is read-only: let this user write to the file and its directory",
    "unable to open": "it cannot be opened: it must be a file in a directory that exists and is writable",
    "not a database": "it is not a SQLite database: name another file",
    "malformed": "the file is damaged: restore it from a backup or crawl into a new one",
    "closed": "it is already closed: open it again",
}


@dataclass(frozen=True, slots=True)
class File:
    """A database file, or with the path None a database in memory. `timeout` is the seconds to wait for
    another writer.
    """

    path: Path | None
    timeout: float
    must_exist: bool

    @classmethod
    def of(cls, url: EngineURL) -> File:
        """The file that a URL names. Raises ConfigError for an invalid URL or a missing file."""
        if url.kind == "memory":
            if url.host or url.path or url.options:
                raise ConfigError("the memory engine takes no path and no options: write memory://")
            return cls(None, TIMEOUT, must_exist=False)
        if url.host or not url.path or "\0" in url.path:
            raise ConfigError("name the file after three slashes, as in sqlite:///news.db")
        path = Path(url.path).absolute()
        if url.must_exist and not path.exists():
            raise MissingIndexError(f"there is no file {path}: name a file that a crawl has written")
        if unknown := sorted(url.options.keys() - {"timeout"}):
            raise ConfigError(f"{url}: unknown option {unknown[0]!r}; known: timeout")
        return cls(path, url.number("timeout", TIMEOUT, 0.001, 86_400), url.must_exist)

    @property
    def uri(self) -> str:
        """The URI for SQLite."""
        if self.path is None:
            return "file::memory:"
        mode = "rw" if self.must_exist else "rwc"
        return f"file:{quote(os.fsencode(self.path))}?mode={mode}"


def meaning(message: str) -> str:
    """What an error message of SQLite means, and what to do."""
    return next((cause for part, cause in _CAUSES.items() if part in message), f"SQLite says: {message}")
