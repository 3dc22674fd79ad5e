"""The metrics of a filter and its grouper, for Prometheus."""

from collections.abc import Callable, Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.core import GaugeMetricFamily

from dupgroups.metrics import Figures

# what docs/filter.md says of each; all are there from the start with 0
STATES = "signed unsigned without_text piped no_index data_stream unreadable updated deleted".split()
REQUESTS = "passed signed past".split()


def registry_of(grouper: Callable[[], Mapping[str, float]]) -> CollectorRegistry:
    """A registry with the figures of a grouper (see `Progress.figures`), a gauge each."""
    registry = CollectorRegistry()
    registry.register(_gauges_of(grouper))
    return registry


def _gauges_of(grouper: Callable[[], Mapping[str, float]]) -> Figures:
    text = "See docs/how-to/monitoring.md."
    return Figures(
        lambda: [
            GaugeMetricFamily(f"dupgroups_grouper_{name}", text, value) for name, value in grouper().items()
        ]
    )


class Metrics:
    """Counters of one filter."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        name = "dupgroups_filter"
        documents = Counter(f"{name}_documents", "Documents.", ["state"], registry=registry)
        requests = Counter(f"{name}_requests", "Requests.", ["kind"], registry=registry)
        self._documents = {state: documents.labels(state) for state in STATES}
        self._requests = {kind: requests.labels(kind) for kind in REQUESTS}
        self.seconds = Histogram(f"{name}_seconds", "From a write to its answer.", registry=registry)
        self.waiting = Gauge(f"{name}_waiting", "Writes that are not answered yet.", registry=registry)
        self.missed_notifications = Counter(
            f"{name}_missed_notifications",
            "Documents that the grouper was not told of, and finds by itself.",
            registry=registry,
        )

    def add_grouper(self, grouper: Callable[[], Mapping[str, float]]) -> None:
        """Add the figures of what groups behind the filter."""
        self.registry.register(_gauges_of(grouper))

    def document(self, state: str, number: int = 1) -> None:
        self._documents[state].inc(number)

    def request(self, kind: str) -> None:
        self._requests[kind].inc()
