"""An engine that need not be there yet: a page that is served before the first crawl shows an empty one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from threading import Lock
from typing import TypeVar

from dupgroups.engines import Engine, open_engine
from dupgroups.errors import MissingIndexError
from dupgroups.model import Query

T = TypeVar("T")


class LazyEngine:
    """An engine that is opened as soon as it is there; `open_` raises MissingIndexError before."""

    def __init__(self, open_: Callable[[], Engine]) -> None:
        self._open = open_
        self._lock = Lock()
        self._engine: Engine | None = None

    def ask(self, question: Callable[[Engine], T]) -> T:
        """The answer of the engine, or an empty one as long as there is no index."""
        try:
            return question(self.get_engine())
        except MissingIndexError:
            with closing(open_engine("memory://")) as empty:
                return question(empty)

    def get_engine(self) -> Engine:
        """The engine itself. Raises MissingIndexError before there is one."""
        with self._lock:
            if self._engine is None:
                self._engine = self._open()
            return self._engine

    def is_there(self) -> bool:
        """Whether there is an index. Raises what opening and searching it raise for another reason."""
        try:
            self.get_engine().search(Query("?", limit=0))
        except MissingIndexError:
            return False
        return True

    def close(self) -> None:
        """Close the engine if it was opened."""
        with self._lock:
            if self._engine:
                self._engine.close()
