"""Counts and times of one process, in plain Python: cheap enough for every pair that is compared. And the
figures of an index as metrics.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import accumulate

from dupgroups.metrics import table
from dupgroups.metrics.table import LARGER, SIZES, Metric
from dupgroups.model import Statistics

Labels = tuple[str, ...]


class Distribution:
    """How many observed values are at most each of `bounds`, which ascend, and their sum."""

    def __init__(self, bounds: Iterable[float]) -> None:
        self.bounds = tuple(bounds)
        self.total = 0.0
        self._counts = [0] * (len(self.bounds) + 1)

    def observe(self, value: float) -> None:
        """Add a value."""
        self._counts[bisect_left(self.bounds, value)] += 1
        self.total += value

    @property
    def count(self) -> int:
        """The number of values."""
        return sum(self._counts)

    @property
    def cumulative(self) -> list[tuple[float, int]]:
        """Pairs of a bound and the number of values up to it; the last bound is infinite."""
        return list(zip((*self.bounds, float("inf")), accumulate(self._counts), strict=True))


class Tally:
    """The figures of each metric by the values of its labels. One thread writes; any thread may read."""

    def __init__(self) -> None:
        self._numbers: defaultdict[Metric, Counter[Labels]] = defaultdict(Counter)
        self._distributions: dict[Metric, dict[Labels, Distribution]] = {}

    def counter(self, metric: Metric) -> Counter[Labels]:
        """The counts of a counter by label values, to be increased: `counter(VERDICTS)["near",] += 1`."""
        return self._numbers[metric]

    def count(self, metric: Metric, *labels: str, number: int = 1) -> None:
        """Increase a counter."""
        self._numbers[metric][labels] += number

    def set(self, metric: Metric, value: float, *labels: str) -> None:
        """Set a gauge, or a counter that is kept elsewhere."""
        self._numbers[metric][labels] = value  # type: ignore[assignment]  # a gauge need not be whole

    def observe(self, metric: Metric, value: float, *labels: str) -> None:
        """Add a value to a histogram."""
        by_labels = self._distributions.setdefault(metric, {})
        if labels not in by_labels:
            by_labels[labels] = Distribution(metric.buckets)
        by_labels[labels].observe(value)

    @contextmanager
    def timed(self, metric: Metric, *labels: str) -> Iterator[None]:
        """Add the seconds of a block to a histogram, also if it raises."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.observe(metric, time.perf_counter() - start, *labels)

    def numbers(self, metric: Metric) -> dict[Labels, float]:
        """A counter or gauge by label values; known values that were never counted are 0, and so is a counter
        without labels.
        """
        known = [(value,) for value in metric.values] if metric.labels else [()]
        zeros: dict[Labels, float] = dict.fromkeys(known, 0) if metric.kind == "counter" else {}
        return zeros | dict(self._numbers[metric])

    def distributions(self, metric: Metric) -> dict[Labels, Distribution]:
        """A histogram by label values; known values that were never observed are empty."""
        known = [(value,) for value in metric.values] if metric.labels else [()]
        return {labels: Distribution(metric.buckets) for labels in known} | dict(
            self._distributions.get(metric, {})
        )


def by_size_range(sizes: Mapping[int, int]) -> dict[str, int]:
    """The number of groups in each range of sizes, smallest first.

    >>> [name for name, groups in by_size_range({1: 7, 3: 2, 4: 1}).items() if groups == 3]
    ['3-5']
    """
    counts = dict.fromkeys((*SIZES, LARGER), 0)
    for size, groups in sizes.items():
        counts[next((name for name, largest in SIZES.items() if size <= largest), LARGER)] += groups
    return counts


def tally_of(statistics: Statistics | None) -> Tally:
    """The metrics of `table.INDEXED` from these statistics; None if the engine did not give them."""
    tally = Tally()
    tally.set(table.ENGINE_UP, statistics is not None)
    if statistics is None:
        return tally
    tally.set(table.DOCUMENTS, statistics.documents)
    for name, groups in by_size_range(statistics.sizes).items():
        tally.set(table.GROUPS, groups, name)
    tally.set(table.SITES, statistics.sites)
    tally.set(table.REDIRECTS, statistics.redirects)
    if statistics.unsettled is not None:
        tally.set(table.UNSETTLED, statistics.unsettled)
    tally.set(table.SEEN_AT, statistics.last_seen / 1e6)
    return tally
