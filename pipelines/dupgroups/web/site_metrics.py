"""The metrics of a search page and of its index, for Prometheus."""

from __future__ import annotations

import logging
import threading
import time

from prometheus_client import CollectorRegistry, ProcessCollector

from dupgroups.engines.lazy import LazyEngine
from dupgroups.errors import DupGroupsError
from dupgroups.metrics import Figures, index_metrics
from dupgroups.model import Statistics

CACHE_SECONDS = 60.0  # for which the figures of an index are shown again: of a large one they take seconds

log = logging.getLogger(__name__)


class SiteMetrics:
    """The metrics of a server and of its index. Any thread may ask for them."""

    def __init__(self, engine: LazyEngine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._due = 0.0
        self._index: Statistics | None = None
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.registry.register(Figures(lambda: index_metrics(self._read())))

    def _read(self) -> Statistics | None:
        """As of at most CACHE_SECONDS ago; None without an answer of the engine."""
        with self._lock:
            if time.monotonic() >= self._due:
                try:
                    self._index = self._engine.ask(lambda engine: engine.statistics())
                except DupGroupsError as error:
                    log.error("/metrics: %s", error)
                    self._index = None
                self._due = time.monotonic() + CACHE_SECONDS
            return self._index
