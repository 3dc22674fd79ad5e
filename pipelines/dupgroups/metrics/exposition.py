"""Tallies in the text format of Prometheus, as a string or over HTTP."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from dupgroups.errors import ConfigError, MissingExtraError
from dupgroups.metrics.table import Metric
from dupgroups.metrics.tally import Tally

try:
    from prometheus_client import CollectorRegistry, ProcessCollector
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
    from prometheus_client.exposition import start_http_server
    from prometheus_client.metrics_core import Metric as Family
    from prometheus_client.registry import Collector
except ModuleNotFoundError as error:
    if error.name != "prometheus_client":
        raise
    raise MissingExtraError("web", "The metrics for Prometheus") from error

Read = Callable[[], Tally]
Sources = Sequence[tuple[Sequence[Metric], Read]]
"""Metrics, and what returns their tally when they are asked for."""


def exposition(sources: Sources) -> CollectorRegistry:
    """A registry that reads its tallies whenever it is scraped, with memory and CPU time of the process.

    No metric may be in two of the sources.
    """
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    registry.register(_Tallies(sources))
    return registry


def listen(registry: CollectorRegistry, host: str, port: int) -> Callable[[], None]:
    """Serve a registry at http://host:port/metrics from a thread; returns what ends that.

    Raises ConfigError if the port cannot be used.
    """
    try:
        server, thread = start_http_server(port, host, registry)
    except OSError as error:
        reason = error.strerror or error
        raise ConfigError(f"metrics cannot be served at {host}:{port}: {reason}; use another port") from error

    def stop() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    return stop


class _Tallies(Collector):
    def __init__(self, sources: Sources) -> None:
        self._sources = sources

    def collect(self) -> Iterator[Family]:
        """All metrics as they are now."""
        for metrics, read in self._sources:
            tally = read()
            yield from (_family(metric, tally) for metric in metrics)


def _family(metric: Metric, tally: Tally) -> Family:
    if metric.kind == "histogram":
        return _histogram(metric, tally)
    kind = CounterMetricFamily if metric.kind == "counter" else GaugeMetricFamily
    family = kind(metric.name, metric.help, labels=metric.labels)
    for labels, value in tally.numbers(metric).items():
        family.add_metric(labels, value)
    return family


def _histogram(metric: Metric, tally: Tally) -> Family:
    family = HistogramMetricFamily(metric.name, metric.help, labels=metric.labels)
    for labels, values in tally.distributions(metric).items():
        buckets = [
            ("+Inf" if bound == float("inf") else repr(bound), count) for bound, count in values.cumulative
        ]
        family.add_metric(labels, buckets, values.total)
    return family
