"""Who sends a request that was waiting for its groups: the worker that has them, or who lost patience."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from dupgroups.errors import EngineError


class GivenUpError(EngineError):
    """The request was sent without groups in the meantime."""


class Ticket:
    """Exactly one of two threads sends a request. Each step of the worker may take `patience` seconds."""

    def __init__(self, patience: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._patience = patience
        self._clock = clock
        self._lock = threading.Lock()
        self._until = clock() + patience
        self._state = "waiting"

    @property
    def left(self) -> float:
        """Seconds until the present step takes too long; at most 0 when it does."""
        return self._until - self._clock()

    @property
    def is_claimed(self) -> bool:
        """Whether the worker sends the request, or has sent it."""
        return self._state == "claimed"

    def step(self) -> None:
        """The worker begins the next step. Raises GivenUpError if nobody waits for it."""
        with self._lock:
            self._check()
            self._until = self._clock() + self._patience

    def claim(self) -> None:
        """From here on the worker sends. Raises GivenUpError if it is too late."""
        with self._lock:
            self._check()
            self._state = "claimed"

    def give_up(self) -> bool:
        """Whether the caller may send the request now, because the worker never will."""
        with self._lock:
            if self._state == "waiting":
                self._state = "given up"
            return self._state == "given up"

    def _check(self) -> None:
        if self._state == "given up":
            raise GivenUpError("it took too long to look up the groups of these documents")
