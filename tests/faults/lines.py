"""A line to a server on which things go wrong by chance, or for a while."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

from es_plugin.proxy import Answer, Fault, Forward, Request, passing


def by_chance(faults: Sequence[Fault], share: float, seed: int) -> Fault:
    """Of all requests this share meets one of the faults."""
    chance = random.Random(seed)

    def fault(request: Request, forward: Forward) -> Answer | None:
        return chance.choice(faults)(request, forward) if chance.random() < share else forward(request)

    return fault


def for_a_while(fault: Fault, seconds: float) -> Fault:
    """Every request meets the fault until so many seconds after the first one."""
    end: list[float] = []

    def meanwhile(request: Request, forward: Forward) -> Answer | None:
        end.append(time.monotonic() + seconds)
        return (fault if time.monotonic() < end[0] else passing)(request, forward)

    return meanwhile
