"""What the filter counts, for Prometheus."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

CONTENT_TYPE = CONTENT_TYPE_LATEST

# what docs/filter.md says of each; all are there from the start with 0
STATES = "signed unsigned without_text piped no_index data_stream unreadable updated deleted".split()
REQUESTS = "passed signed past".split()


class Metrics:
    """Counters of one filter."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        name, registry = "dup_groups_filter", self._registry
        self._documents = Counter(f"{name}_documents", "Documents.", ["state"], registry=registry)
        self._requests = Counter(f"{name}_requests", "Requests.", ["kind"], registry=registry)
        self.seconds = Histogram(f"{name}_seconds", "From a write to its answer.", registry=registry)
        self.waiting = Gauge(f"{name}_waiting", "Writes that are not answered yet.", registry=registry)
        self.dropped = Counter(
            f"{name}_untold", "Documents that the grouper has to find by itself.", registry=registry
        )
        self._grouped = Gauge(f"{name}_grouper", "What the grouper says.", ["figure"], registry=registry)
        for state in STATES:
            self._documents.labels(state)
        for kind in REQUESTS:
            self._requests.labels(kind)

    def document(self, state: str, number: int = 1) -> None:
        """Count documents in a state."""
        self._documents.labels(state).inc(number)

    def request(self, kind: str) -> None:
        """Count a request."""
        self._requests.labels(kind).inc()

    def grouper(self, figure: str, value: float) -> None:
        """Note a figure of the grouper."""
        self._grouped.labels(figure).set(value)

    def text(self) -> bytes:
        """All of it in the text format of Prometheus."""
        return generate_latest(self._registry)
