"""The metrics of a crawl and of an index, for Prometheus; docs/how-to/monitoring.md has the names."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import get_args

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    start_http_server,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from dupgroups.errors import ConfigError
from dupgroups.model import Relation, Statistics

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
CANDIDATE_COUNTS = (0.0, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)

SIZES = {"1": 1, "2": 2, "3-5": 5, "6-10": 10, "11-20": 20, "21-50": 50, "51-100": 100}
"""Ranges of group sizes, each with its largest size; larger groups are LARGER_LABEL."""
LARGER_LABEL = "over 100"

ITEM_STATES = (
    *("new", "joined", "merged", "updated", "unchanged", "too_short"),
    *("not_article", "passed", "failed", "dead_letter"),
)
STEPS = ("sign", "look", "plan", "write", "regroup")


class Figures(Collector):
    """Metrics that are read whenever they are scraped."""

    def __init__(self, read: Callable[[], Iterable[Metric]]) -> None:
        self._read = read

    def collect(self) -> Iterable[Metric]:
        """The metrics as they are now."""
        return self._read()


class CrawlMetrics:
    """Counts and times of one process that adds documents. Known labels are there from the start, as 0, so
    that no rate misses the first count. `retries` gives the requests that the engine has repeated until now.
    """

    def __init__(self, retries: Callable[[], int]) -> None:
        self.registry = CollectorRegistry()
        self.items = self._count_by("items", "Items, by what became of them.", "state", ITEM_STATES)
        self.verdicts = self._count_by(
            "verdicts", "Pairs of documents that were compared, by relation.", "relation", get_args(Relation)
        )
        self.second_looks = self._count(
            "second_looks",
            "Pairs of documents that signatures left in doubt, so that their texts were compared.",
        )
        self.replans = self._count(
            "replans", "Batches that were planned again because another process had written meanwhile."
        )
        self.cut_views = self._count(
            "cut_views",
            "Batches on which too many stored documents depend: the newest of them stayed as they were.",
        )
        self.regrouped_groups = self._count("regrouped_groups", "Groups that regrouping merged into others.")
        self.candidates = Histogram(
            "dupgroups_candidates",
            "Documents that a look-up found to compare with a new document.",
            buckets=CANDIDATE_COUNTS,
            registry=self.registry,
        )
        self.seconds = self._time_steps()
        self.settled_at = self._gauge(
            "regrouped_timestamp_seconds",
            "When this process regrouped last, or began, in seconds since 1970.",
        )
        self.settled_at.set(time.time())
        self.dead_letters = self._gauge(
            "dead_letters", "Pages in the dead-letter file, which wait for dup-groups replay."
        )
        repeated = "Requests that were sent to the engine again because it was busy or away."
        self.registry.register(
            Figures(lambda: [CounterMetricFamily("dupgroups_engine_retries", repeated, retries())])
        )

    def _count(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(f"dupgroups_{name}", text, labels, registry=self.registry)

    def _count_by(self, name: str, text: str, label: str, values: Iterable[str]) -> dict[str, Counter]:
        counter = self._count(name, text, label)
        return {value: counter.labels(value) for value in values}

    def _gauge(self, name: str, text: str) -> Gauge:
        return Gauge(f"dupgroups_{name}", text, registry=self.registry)

    def _time_steps(self) -> dict[str, Histogram]:
        seconds = Histogram(
            "dupgroups_step_seconds",
            "Seconds of a step: sign is of a page, settle of a regrouping, the others are of a batch.",
            ["step"],
            buckets=SECONDS,
            registry=self.registry,
        )
        return {step: seconds.labels(step) for step in STEPS}

    def value(self, name: str, **labels: str) -> float:
        """The sample of this name (without `dupgroups_`) and these labels. Raises KeyError without one."""
        value = self.registry.get_sample_value(f"dupgroups_{name}", labels)
        if value is None:
            raise KeyError(name)
        return value


def listen(registry: CollectorRegistry, host: str, port: int) -> Callable[[], None]:
    """Serve a registry, and memory and CPU time of the process, at http://host:port/metrics from a thread;
    returns what ends that.

    Raises ConfigError if the port cannot be used.
    """
    try:
        server, thread = start_http_server(port, host, registry)
    except OSError as error:
        reason = error.strerror or error
        raise ConfigError(f"metrics cannot be served at {host}:{port}: {reason}; use another port") from error
    ProcessCollector(registry=registry)

    def stop() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    return stop


def by_size_range(sizes: Mapping[int, int]) -> dict[str, int]:
    """The number of groups in each range of sizes, smallest first.

    >>> [name for name, groups in by_size_range({1: 7, 3: 2, 4: 1}).items() if groups == 3]
    ['3-5']
    """
    counts = dict.fromkeys((*SIZES, LARGER_LABEL), 0)
    for size, groups in sizes.items():
        counts[next((name for name, largest in SIZES.items() if size <= largest), LARGER_LABEL)] += groups
    return counts


def index_metrics(statistics: Statistics | None) -> Iterator[Metric]:
    """The metrics of an index; None if the engine did not give its statistics."""

    def gauge(name: str, text: str, value: float) -> Metric:
        return GaugeMetricFamily(f"dupgroups_{name}", text, value)

    yield gauge("engine_up", "1 if the engine gave the figures of the index, else 0.", statistics is not None)
    if statistics is None:
        return
    yield gauge("documents", "Documents in the index.", statistics.documents)
    groups = GaugeMetricFamily(
        "dupgroups_groups", "Groups in the index, by the number of their members.", labels=["size"]
    )
    for size, number in by_size_range(statistics.sizes).items():
        groups.add_metric([size], number)
    yield groups
    yield gauge("sites", "Sites of the documents in the index.", statistics.sites)
    yield gauge("redirects", "Former names of groups that were merged away.", statistics.redirects)
    if statistics.unsettled is not None:
        looked = "Operations on the index that no regrouping has looked at."
        yield gauge("operations_not_looked_at", looked, statistics.unsettled)
    seen = "When a document was last stored or seen again, in seconds since 1970; 0 for an empty index."
    yield gauge("last_seen_timestamp_seconds", seen, statistics.last_seen / 1e6)
