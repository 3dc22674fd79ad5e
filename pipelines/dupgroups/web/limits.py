"""How long and how large a request may be before the server closes the connection, and how often it comes."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS = 10.0  # from the connection to the end of the first request's headers


class Impatient(H11Protocol):
    """Closes a connection whose headers do not arrive in time; uvicorn has no such limit."""

    seconds = SECONDS

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn
        """Start the clock."""
        super().connection_made(transport)
        self.loop.call_later(self.seconds, self._close_idle)

    def _close_idle(self) -> None:
        if self.cycle is None and not self.transport.is_closing():
            self.transport.close()


def limits() -> dict[str, Any]:
    """Options of uvicorn: seconds and bytes that a client may hold a connection without a whole request."""
    return {"http": Impatient, "timeout_keep_alive": 5, "h11_max_incomplete_event_size": 32_768}


class Rate:
    """How often something may happen: at most `most` times in so many `seconds`, for each key."""

    def __init__(self, most: int, seconds: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._times: dict[str, deque[float]] = {}

    def wait(self, key: str) -> float:
        """The seconds until it may happen again; 0 for now."""
        self._forget_older()
        times = self._times.get(key)
        if times is None or len(times) < self._most:
            return 0
        return times[0] + self._seconds - self._clock()

    def note(self, key: str) -> None:
        """It happened."""
        self._times.setdefault(key, deque(maxlen=self._most)).append(self._clock())

    def _forget_older(self) -> None:
        since = self._clock() - self._seconds
        for key, times in list(self._times.items()):
            while times and times[0] <= since:
                times.popleft()
            if not times:
                del self._times[key]
