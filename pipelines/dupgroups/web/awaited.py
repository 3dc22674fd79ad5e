"""The search page may be started before the first crawl: until there is an index, it shows an empty one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Protocol, TypeVar

from dupgroups.engines.memory import MemoryEngine
from dupgroups.errors import MissingIndexError
from dupgroups.model import Copy, Document, Query, Record, Results, Signature, Statistics

T = TypeVar("T")


class Searchable(Protocol):
    """The part of an engine that the search page needs; see Engine."""

    def get(self, ids: Sequence[str]) -> dict[str, Record]:
        """See Store.get."""

    def read(self, ids: Sequence[str]) -> dict[str, Document]:
        """See Store.read."""

    def candidates(self, signatures: Sequence[Signature], *, limit: int) -> list[list[Record]]:
        """See Store.candidates."""

    def resolve(self, groups: Sequence[str]) -> dict[str, str]:
        """See Store.resolve."""

    def copies(self, group: str, *, limit: int = 100) -> list[Copy]:
        """See Engine.copies."""

    def former_names(self, group: str, *, limit: int = 100) -> list[str]:
        """See Engine.former_names."""

    def search(self, query: Query) -> Results:
        """See Engine.search."""

    def statistics(self) -> Statistics:
        """See Engine.statistics."""

    @property
    def retries(self) -> int:
        """See Store.retries."""

    def closest(self, words: Sequence[str], *, limit: int = 3) -> dict[str, list[str]]:
        """See Engine.closest."""

    def close(self) -> None:
        """See Store.close."""


class AwaitedEngine:
    """An engine that is opened as soon as it is there; `open_` raises MissingIndexError before."""

    def __init__(self, open_: Callable[[], Searchable]) -> None:
        self._open = open_
        self._lock = Lock()
        self._engine: Searchable | None = None

    def get(self, ids: Sequence[str]) -> dict[str, Record]:
        """See Store.get."""
        return self._ask(lambda engine: engine.get(ids))

    def read(self, ids: Sequence[str]) -> dict[str, Document]:
        """See Store.read."""
        return self._ask(lambda engine: engine.read(ids))

    def candidates(self, signatures: Sequence[Signature], *, limit: int) -> list[list[Record]]:
        """See Store.candidates."""
        return self._ask(lambda engine: engine.candidates(signatures, limit=limit))

    def resolve(self, groups: Sequence[str]) -> dict[str, str]:
        """See Store.resolve."""
        return self._ask(lambda engine: engine.resolve(groups))

    def copies(self, group: str, *, limit: int = 100) -> list[Copy]:
        """See Engine.copies."""
        return self._ask(lambda engine: engine.copies(group, limit=limit))

    def former_names(self, group: str, *, limit: int = 100) -> list[str]:
        """See Engine.former_names."""
        return self._ask(lambda engine: engine.former_names(group, limit=limit))

    def search(self, query: Query) -> Results:
        """See Engine.search."""
        return self._ask(lambda engine: engine.search(query))

    def statistics(self) -> Statistics:
        """See Engine.statistics."""
        return self._ask(lambda engine: engine.statistics())

    @property
    def retries(self) -> int:
        """See Store.retries."""
        return self._engine.retries if self._engine else 0

    def closest(self, words: Sequence[str], *, limit: int = 3) -> dict[str, list[str]]:
        """See Engine.closest."""
        return self._ask(lambda engine: engine.closest(words, limit=limit))

    def is_there(self) -> bool:
        """Whether there is an index. Raises what opening and searching it raise for another reason."""
        try:
            self.opened().search(Query("?", limit=0))
        except MissingIndexError:
            return False
        return True

    def close(self) -> None:
        """See Store.close."""
        with self._lock:
            if self._engine:
                self._engine.close()

    def _ask(self, question: Callable[[Searchable], T]) -> T:
        try:
            return question(self.opened())
        except MissingIndexError:
            return question(MemoryEngine())

    def opened(self) -> Searchable:
        """The engine itself. Raises MissingIndexError before there is one."""
        with self._lock:
            if self._engine is None:
                self._engine = self._open()
            return self._engine
