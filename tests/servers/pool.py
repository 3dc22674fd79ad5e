"""The servers of one test run: each started when a test first asks for it, all stopped at the end.

The processes of a run share them by files in one folder: `<name>.json` says where a server listens, and who
may still use any of them holds a lock on `users`. Whoever started a server stops it when nobody holds this
lock any more.

A server that runs already is taken as it is: `DUPGROUPS_SERVERS="opensearch-3=http://127.0.0.1:9200 ..."`
saves its start while tests are written. `make server` runs one.
"""

from __future__ import annotations

import fcntl
import json
import os
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

from servers.cache import locked
from servers.nodes import start
from servers.releases import Server, ServerUnavailable, find_release


class Pool:
    """`Pool(folder).get("opensearch-3").url`, and `close()` at the end.

    A server that could not be had is not tried again: every test that asks for it gets the same error.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._started = ExitStack()
        self._known: dict[str, Server | ServerUnavailable] = {}
        self._users = (folder / "users").open("a")
        fcntl.flock(self._users, fcntl.LOCK_SH)

    def get(self, name: str) -> Server:
        """The running server of that name; raises ServerUnavailable, and ValueError for an unknown name."""
        if name not in self._known:
            try:
                self._known[name] = self._found(name)
            except ServerUnavailable as error:
                self._known[name] = error
        known = self._known[name]
        if isinstance(known, ServerUnavailable):
            raise known
        return known

    def _found(self, name: str) -> Server:
        named = os.environ.get("DUPGROUPS_SERVERS", "").split()
        if url := dict(entry.split("=", 1) for entry in named).get(name):
            release = find_release(name)
            return Server(name, url, release.distribution, release.version, Path(os.devnull))
        with locked(self._folder / f"{name}.lock"):
            return self._shared(name, self._folder / f"{name}.json")

    def _shared(self, name: str, place: Path) -> Server:
        if place.exists():
            entry = json.loads(place.read_text("utf-8"))
            return Server(**{**entry, "log": Path(entry["log"])})
        server = self._started.enter_context(start(name))
        self._started.callback(place.unlink, missing_ok=True)
        place.write_text(json.dumps(asdict(server), default=str), "utf-8")
        self._started.callback(fcntl.flock, self._users, fcntl.LOCK_EX)
        return server

    def close(self) -> None:
        """Stop what this pool started, as soon as all other pools of the folder are closed or dead."""
        fcntl.flock(self._users, fcntl.LOCK_UN)
        self._started.close()
        self._users.close()

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
