"""What the filter counts, for Prometheus."""

from __future__ import annotations

from collections.abc import Iterable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

CONTENT_TYPE = CONTENT_TYPE_LATEST

STATES = {
    "grouped": "written with the dup_ fields",
    "refused": "refused by the cluster",
    "without_text": "written without a text, or a partial update that leaves the text as it is",
    "scripted": "updated by a script",
    "data_stream": "written into a data stream",
    "unreadable": "requests whose body is not JSON, or compressed otherwise than by gzip",
    "no_index": "written before there was an index",
    "late": "passed on because looking up took too long",
    "failed": "passed on because looking up failed",
    "unavailable": "answered with 503 by --strict",
    "deleted": "deleted",
}


class Metrics:
    """Counters of one filter, all there from the start with 0."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        name = "dup_groups_filter"
        self._documents = Counter(
            f"{name}_documents", "Documents by what became of them.", ["state"], registry=self._registry
        )
        for state in STATES:
            self._documents.labels(state)
        self._requests = Counter(
            f"{name}_requests", "Requests, passed or filtered.", ["kind"], registry=self._registry
        )
        self.seconds = Histogram(
            f"{name}_seconds", "Seconds from a filtered request to its answer.", registry=self._registry
        )
        self.waiting = Gauge(
            f"{name}_waiting", "Filtered requests that are not answered yet.", registry=self._registry
        )
        self.settled = Counter(f"{name}_settled", "Times that groups were settled.", registry=self._registry)

    def documents(self, states: Iterable[str]) -> None:
        """Count documents by their states; those of other indices are not counted."""
        for state in states:
            if state in STATES:
                self._documents.labels(state).inc()

    def request(self, kind: str) -> None:
        """Count a request."""
        self._requests.labels(kind).inc()

    def text(self) -> bytes:
        """All of it in the text format of Prometheus."""
        return generate_latest(self._registry)
