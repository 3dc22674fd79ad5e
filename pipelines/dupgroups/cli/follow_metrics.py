"""The progress of `dup-groups follow` as metrics for Prometheus."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from dupgroups.metrics import Tally
from dupgroups.metrics.exposition import exposition, listen
from dupgroups.metrics.table import (
    FOLLOW,
    FOLLOW_LAG,
    FOLLOW_REJECTED,
    FOLLOW_TROUBLE,
    FOLLOW_WAITING,
    FOLLOWED,
)

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

    from dupgroups.follow import Progress


def registry_of(progress: Progress) -> CollectorRegistry:
    """A registry that reads the progress whenever it is scraped."""
    return exposition([(FOLLOW, lambda: tally_of_progress(progress))])


def tally_of_progress(progress: Progress) -> Tally:
    """All metrics as they are now."""
    tally = Tally()
    for state, count in progress.states.copy().items():
        tally.count(FOLLOWED, state, number=count)
    tally.set(FOLLOW_LAG, progress.lag)
    tally.set(FOLLOW_WAITING, progress.waiting)
    tally.set(FOLLOW_REJECTED, len(progress.failures))
    tally.set(FOLLOW_TROUBLE, float(bool(progress.trouble)))
    return tally


@contextmanager
def serving(port: int, progress: Progress) -> Iterator[None]:
    """Serve the metrics on all addresses meanwhile. Raises ConfigError if the port cannot be used."""
    stop = listen(registry_of(progress), "0.0.0.0", port)  # noqa: S104 - Prometheus is elsewhere
    try:
        yield
    finally:
        stop()
