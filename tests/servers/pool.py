"""The servers of one test session: each started when a test first asks for it, all stopped at the end.

A server that runs already is taken as it is: `DUPGROUPS_SERVERS="opensearch-3=http://127.0.0.1:9200 ..."`
saves its start while tests are written. `make server` runs one.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from types import TracebackType

from servers.releases import Server, ServerUnavailable, find_release
from servers.running import start


class Pool:
    """`with Pool() as pool: pool.get("opensearch-3").url`; a fixture of session scope holds one.

    A server that could not be had is not tried again: every test that asks for it gets the same error.
    """

    def __init__(self, start: Callable[[str], AbstractContextManager[Server]] = start) -> None:
        self._start = start
        self._stack = ExitStack()
        self._known: dict[str, Server | ServerUnavailable] = {}

    def get(self, name: str) -> Server:
        """The running server of that name; raises ServerUnavailable, and ValueError for an unknown name."""
        if name not in self._known:
            self._known[name] = self._try(name)
        known = self._known[name]
        if isinstance(known, ServerUnavailable):
            raise known
        return known

    def _try(self, name: str) -> Server | ServerUnavailable:
        if name in (running := _running()):
            release = find_release(name)
            return Server(name, running[name], release.distribution, release.version, Path(os.devnull))
        try:
            return self._stack.enter_context(self._start(name))
        except ServerUnavailable as error:
            return error

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._stack.close()


def _running() -> dict[str, str]:
    """The servers that the environment names, as `{name: url}`."""
    named = os.environ.get("DUPGROUPS_SERVERS", "").split()
    return dict(entry.split("=", 1) for entry in named)
