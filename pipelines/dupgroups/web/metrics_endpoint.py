"""What `/metrics` shows: the figures of the index, and of the process."""

from __future__ import annotations

import logging
import threading
import time

from dupgroups.errors import DupGroupsError
from dupgroups.metrics import INDEXED, Tally, tally_of
from dupgroups.metrics.exposition import exposition
from dupgroups.web.lazy_engine import LazyEngine

SECONDS = 60.0  # for which the figures of an index are shown again: a large one works some seconds for them

log = logging.getLogger(__name__)


class SiteMetrics:
    """The metrics of a server and of its index. Any thread may ask for them."""

    def __init__(self, engine: LazyEngine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._due = 0.0
        self._index = Tally()
        self.registry = exposition([(INDEXED, self._read)])

    def _read(self) -> Tally:
        """As of at most SECONDS ago; without an answer of the engine, only that it is away."""
        with self._lock:
            if time.monotonic() >= self._due:
                self._index = self._asked()
                self._due = time.monotonic() + SECONDS
            return self._index

    def _asked(self) -> Tally:
        try:
            return tally_of(self._engine.ask(lambda engine: engine.statistics()))
        except DupGroupsError as error:
            log.error("/metrics: %s", error)
            return tally_of(None)
