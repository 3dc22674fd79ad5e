"""How often, and after which pauses, something is tried again that may succeed later."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Patience:
    """At most `tries` calls, none begun after `seconds`. The pause doubles, beginning with `first` seconds.

    A random part, up to half, is taken off each pause, so that processes that failed at the same time do not
    try again at the same time.
    """

    tries: int = 5
    seconds: float = 60.0
    first: float = 0.5
    longest: float = 10.0

    def pauses(self) -> Iterator[float | None]:
        """One value for each try: the seconds to wait if it fails, None for the last one."""
        end = time.monotonic() + self.seconds
        for failures in range(self.tries - 1):
            pause = self.pause_after(failures)
            if time.monotonic() + pause > end:
                break
            yield pause
        yield None

    def pause_after(self, failures: int) -> float:
        """The seconds to wait when a try fails after so many that failed."""
        doubled = self.first * 2.0 ** min(failures, 64)
        return min(self.longest, doubled) * random.uniform(0.5, 1.0)  # noqa: S311
