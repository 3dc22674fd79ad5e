"""The progress of `dup-groups follow` as metrics for Prometheus."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from dupgroups.errors import InputError, MissingExtraError

try:
    from prometheus_client import CollectorRegistry, start_http_server
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
    from prometheus_client.registry import Collector
except ModuleNotFoundError as error:
    raise MissingExtraError("web", "The metrics for Prometheus") from error

if TYPE_CHECKING:
    from prometheus_client.metrics_core import Metric

    from dupgroups.follow import Progress


class ProgressCollector(Collector):
    """Reads the progress whenever it is scraped."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def collect(self) -> Iterator[Metric]:
        """All metrics as they are now."""
        progress = self._progress
        documents = CounterMetricFamily(
            "dupgroups_followed_documents", "Documents that were grouped, by state.", labels=["state"]
        )
        for state, count in progress.states.copy().items():
            documents.add_metric([state], count)
        yield documents
        yield GaugeMetricFamily(
            "dupgroups_follow_lag_seconds",
            "The oldest document without a group is at most so old.",
            value=progress.lag,
        )
        yield GaugeMetricFamily(
            "dupgroups_follow_waiting_documents",
            "Documents without a group at the last sweep.",
            value=progress.waiting,
        )
        yield GaugeMetricFamily(
            "dupgroups_follow_rejected_documents",
            "Documents that could not be grouped, and are tried again.",
            value=len(progress.failures),
        )
        yield GaugeMetricFamily(
            "dupgroups_follow_trouble",
            "1 while the index cannot be used, else 0.",
            value=bool(progress.trouble),
        )


@contextmanager
def serving(port: int, progress: Progress) -> Iterator[None]:
    """Serve the metrics on all addresses meanwhile. Raises InputError if the port cannot be used."""
    registry = CollectorRegistry()
    registry.register(ProgressCollector(progress))
    try:
        server, thread = start_http_server(port, registry=registry)
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"metrics cannot be served on port {port}: {reason}; choose another port") from error
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
