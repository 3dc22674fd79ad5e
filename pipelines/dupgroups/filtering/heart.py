"""The index that is filtered, and the flow that groups it. Only the worker thread uses it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from dupgroups.config import Config
from dupgroups.engines import open_engine
from dupgroups.engines.foreign import Adopting, Fields, Put, Written, WrittenIndex
from dupgroups.errors import ConfigError
from dupgroups.filtering.operations import Operation
from dupgroups.flow import Deduper
from dupgroups.model import Document, Page
from dupgroups.signing import sign_all

if TYPE_CHECKING:
    from dupgroups.filtering.batch import Batch


class Heart:
    """Opened for one index.

    Raises ConfigError for one that cannot be filtered, MissingIndexError if there is none.
    """

    def __init__(self, engine: str | None, fields: Fields, config: Config) -> None:
        opened = open_engine(engine or config.engine, must_exist=True)
        try:
            assert isinstance(opened, Adopting)
            if not opened.is_foreign():
                raise ConfigError(
                    f"{opened.name} is an index of dup-groups: only its own commands write there"
                )
            named = replace(fields, group_by=config.group_by)
            self.store: WrittenIndex = opened.adopt_written(named, self._carry)
            self.deduper = Deduper(self.store, config)
            if self.deduper.templates:
                raise ConfigError("a filter cannot learn templates of hosts: leave them out of --config")
        except BaseException:
            opened.close()
            raise
        self._names = frozenset(self.store.names)
        self._batch: Batch | None = None

    def is_ours(self, operation: Operation) -> bool:
        """Whether an operation writes into the index."""
        return operation.index in self._names

    def wants_group(self, operation: Operation) -> bool:
        """Whether an operation writes a text, as far as it says so itself. Any thread may ask."""
        body = operation.body()
        if operation.action == "update":
            return isinstance(body.get("doc"), dict) and self.store.reads(body["doc"])
        return operation.action != "delete" and self.store.has_text(body)

    def sign(self, pages: Sequence[Page]) -> list[Document]:
        """The pages as signed documents."""
        return sign_all(pages, self.deduper.methods)

    def run(self, batch: Batch) -> None:
        """Carry a request out. Raises EngineError; what is not answered then was not sent."""
        self._batch = batch
        try:
            batch.run(self)
        finally:
            self._batch = None
            self.store.route({})

    def settle(self, ids: Sequence[str]) -> None:
        """Look again at what others wrote, and at what these documents left behind. Raises EngineError."""
        if ids:
            self.store.refresh()
            self.deduper.take_back(ids)
        self.deduper.settle()

    def close(self) -> None:
        """Let go of the connections, without settling."""
        self.store.close()

    def _carry(self, puts: Sequence[Put]) -> Mapping[str, Written]:
        assert self._batch, "documents are only written while a request is carried out"
        return self._batch.carry(puts)
