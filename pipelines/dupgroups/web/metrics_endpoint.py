"""What `/metrics` shows: how requests were answered, and the figures of the index."""

from __future__ import annotations

import logging
import threading
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dupgroups.errors import DupGroupsError
from dupgroups.metrics import INDEXED, Tally, tally_of
from dupgroups.metrics.exposition import exposition, text
from dupgroups.metrics.table import REQUEST_SECONDS, REQUESTS, RETRIES
from dupgroups.web.lazy_engine import LazyEngine

METERED = (REQUESTS, REQUEST_SECONDS, RETRIES)
SECONDS = 60.0  # for which the figures of an index are shown again: a large one works some seconds for them
OTHER = "other"  # the route of static files, and of requests that no handler answers

log = logging.getLogger(__name__)


class Measured:
    """Counts requests by handler and status, and times the responses."""

    def __init__(self, app: ASGIApp, tally: Tally) -> None:
        self._app = app
        self._tally = tally

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and note how it went."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status = "500"  # of an unexpected error, which is answered outside of the middleware
        start = time.perf_counter()

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = str(message["status"])
            await send(message)

        try:
            await self._app(scope, receive, noting)
        finally:
            route = getattr(scope.get("endpoint"), "__name__", OTHER)
            self._tally.count(REQUESTS, route, status)
            self._tally.observe(REQUEST_SECONDS, time.perf_counter() - start, route)


class SiteMetrics:
    """The metrics of a server (`tally` counts its requests) and of its index. Any thread may ask for them."""

    def __init__(self, engine: LazyEngine) -> None:
        self.tally = Tally()
        self._engine = engine
        self._lock = threading.Lock()
        self._due = 0.0
        self._index = Tally()
        self._registry = exposition([(METERED, self._of_server), (INDEXED, self._of_index)])

    def text(self) -> bytes:
        """All metrics, of the type CONTENT_TYPE."""
        return text(self._registry)

    def _of_server(self) -> Tally:
        self.tally.set(RETRIES, self._engine.retries)
        return self.tally

    def _of_index(self) -> Tally:
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
