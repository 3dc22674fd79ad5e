"""The index that is filtered, and the flow that groups it. Only the worker thread uses it."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from dupgroups.config import Config
from dupgroups.engines import EngineURL, open_engine
from dupgroups.engines.foreign import Adopting, Fields, Put, Written, WrittenIndex
from dupgroups.errors import ConfigError
from dupgroups.filtering.operations import Operation
from dupgroups.flow import Deduper
from dupgroups.model import Document, Page
from dupgroups.signing import sign_all

if TYPE_CHECKING:
    from dupgroups.filtering.batch import Batch

MISSED = 500  # documents of an index that are grouped when it is there at last, while the next writes wait

log = logging.getLogger(__name__)


class Heart:
    """Opened for one index.

    Raises ConfigError for one that cannot be filtered, MissingIndexError if there is none.
    """

    def __init__(self, url: EngineURL, fields: Fields, config: Config) -> None:
        opened = open_engine(url, must_exist=True)
        try:
            assert isinstance(opened, Adopting)
            if not opened.is_foreign():
                raise ConfigError(
                    f"{opened.name} is an index of dup-groups: only its own commands write there"
                )
            self._engine, self._fields = opened, replace(fields, group_by=config.group_by)
            self.store: WrittenIndex = opened.adopt_written(self._fields, self._carry)
            self.deduper = Deduper(self.store, config)
            if self.deduper.templates:
                raise ConfigError("a filter cannot learn templates of hosts: leave them out of --config")
        except BaseException:
            opened.close()
            raise
        self._name = url.path
        self._batch: Batch | None = None

    def is_ours(self, operation: Operation) -> bool:
        """Whether an operation writes into the index."""
        return operation.home == self._name

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

    def catch_up(self) -> None:
        """Group what was written before the index was there, unless that is a whole archive."""
        if self.store.is_stream:
            return
        self.store.refresh()
        adopted = self._engine.adopt(self._fields)
        if (count := adopted.count()) > MISSED:
            log.warning(
                "%s has %d documents already: group them with `dup-groups backfill`", self._name, count
            )
            return
        deduper = Deduper(adopted, self.deduper.config)
        deduper.add_all(adopted.pages())
        deduper.settle()

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
