"""What a filter and a grouper count, for Prometheus."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

# what docs/filter.md says of each; all are there from the start with 0
STATES = "signed unsigned without_text piped no_index data_stream unreadable updated deleted".split()
REQUESTS = "passed signed past".split()


class GrouperFigures(Collector):
    """The figures that a grouper has at the moment (see `Progress.figures`)."""

    def __init__(self, read: Callable[[], Mapping[str, float]]) -> None:
        self._read = read

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """A gauge each."""
        for name, value in self._read().items():
            yield GaugeMetricFamily(f"dup_groups_grouper_{name}", "See docs/how-to/monitoring.md.", value)


def registry_of(grouper: Callable[[], Mapping[str, float]]) -> CollectorRegistry:
    """A registry with the figures of a grouper, and with memory and CPU time of the process."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    registry.register(GrouperFigures(grouper))
    return registry


class Metrics:
    """Counters of one filter. `grouper`: the figures of what groups behind it."""

    def __init__(self, grouper: Callable[[], Mapping[str, float]] = dict) -> None:
        self.registry = registry = registry_of(grouper)
        name = "dup_groups_filter"
        documents = Counter(f"{name}_documents", "Documents.", ["state"], registry=registry)
        requests = Counter(f"{name}_requests", "Requests.", ["kind"], registry=registry)
        self._documents = {state: documents.labels(state) for state in STATES}
        self._requests = {kind: requests.labels(kind) for kind in REQUESTS}
        self.seconds = Histogram(f"{name}_seconds", "From a write to its answer.", registry=registry)
        self.waiting = Gauge(f"{name}_waiting", "Writes that are not answered yet.", registry=registry)
        self.dropped = Counter(
            f"{name}_untold", "Documents that the grouper has to find by itself.", registry=registry
        )

    def document(self, state: str, number: int = 1) -> None:
        """Count documents in a state."""
        self._documents[state].inc(number)

    def request(self, kind: str) -> None:
        """Count a request."""
        self._requests[kind].inc()
