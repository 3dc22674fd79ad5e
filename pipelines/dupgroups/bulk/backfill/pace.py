"""So many documents a second and no more."""

from __future__ import annotations

import time


class Pace:
    """Waits so that no more than `rate` documents a second pass; None lets everything pass."""

    def __init__(self, rate: float | None) -> None:
        self._rate = rate
        self._next = time.monotonic()

    def __call__(self, documents: int) -> None:
        """Wait until so many more may pass."""
        if self._rate:
            now = time.monotonic()
            time.sleep(max(0.0, self._next - now))
            self._next = max(self._next, now) + documents / self._rate
