"""What a piece of work takes: time, and of it CPU time."""

from __future__ import annotations

import time
from dataclasses import astuple, dataclass, field
from operator import add


@dataclass
class Cost:
    """What some documents took: seconds, and of these CPU of the client and of the server."""

    documents: int = 0
    seconds: float = 0.0
    client: float = 0.0
    server: float = 0.0

    def __add__(self, other: Cost) -> Cost:
        return Cost(*map(add, astuple(self), astuple(other)))

    def row(self) -> list[str]:
        """Documents a second, and ms of CPU a document."""
        count = max(1, self.documents)
        return [
            f"{self.documents / self.seconds:,.0f}",
            f"{self.client / count * 1000:.2f}",
            f"{self.server / count * 1000:.2f}",
        ]


@dataclass
class Clock:
    """Adds up what is done inside of `with clock:`."""

    cost: Cost = field(default_factory=Cost)
    _began: tuple[float, float] = (0.0, 0.0)

    def __enter__(self) -> None:
        self._began = (time.monotonic(), time.process_time())

    def __exit__(self, *error: object) -> None:
        began, client = self._began
        self.cost.seconds += time.monotonic() - began
        self.cost.client += time.process_time() - client
