"""What `/metrics` shows: how requests were answered, and the figures of the index."""

from __future__ import annotations

import logging
import threading
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dupgroups.errors import DupGroupsError
from dupgroups.metrics import Tally, tally_of
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


def metered(tally: Tally, engine: LazyEngine) -> Tally:
    """The tally of a server, with the retries of its engine until now."""
    tally.set(RETRIES, engine.retries)
    return tally


class IndexFigures:
    """The metrics of an index, which it is asked for at most once in SECONDS. Any thread may call it."""

    def __init__(self, engine: LazyEngine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._due = 0.0
        self._tally = Tally()

    def __call__(self) -> Tally:
        """The metrics of the index; without an answer of the engine, only that it is away."""
        with self._lock:
            if time.monotonic() >= self._due:
                self._tally = self._asked()
                self._due = time.monotonic() + SECONDS
            return self._tally

    def _asked(self) -> Tally:
        try:
            return tally_of(self._engine.ask(lambda engine: engine.statistics()))
        except DupGroupsError as error:
            log.error("/metrics: %s", error)
            return tally_of(None)
