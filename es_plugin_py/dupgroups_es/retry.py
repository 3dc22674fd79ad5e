"""How long to wait for a busy server: exponential back-off with jitter, limited in number and time."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass

from dupgroups.errors import ConfigError


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

    def __post_init__(self) -> None:
        if self.tries < 1 or min(self.seconds, self.first, self.longest) < 0:
            raise ConfigError("retries must be 0 or more")

    def pauses(self) -> Iterator[float | None]:
        """One value for each try: the seconds to wait if it fails, None for the last one."""
        end = time.monotonic() + self.seconds
        for attempt in range(self.tries - 1):
            pause = min(self.longest, self.first * 2**attempt) * random.uniform(0.5, 1.0)  # noqa: S311
            if time.monotonic() + pause > end:
                break
            yield pause
        yield None
