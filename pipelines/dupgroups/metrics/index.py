"""The figures of an index as metrics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from dupgroups.metrics.table import DOCUMENTS, GROUPS, REDIRECTS, SEEN_AT, SITES, UNSETTLED, size_range
from dupgroups.metrics.tally import Tally
from dupgroups.model import Statistics


def by_size_range(sizes: Mapping[int, int]) -> Counter[str]:
    """The number of groups in each range of sizes that has any.

    >>> by_size_range({1: 7, 3: 2, 4: 1})
    Counter({'1': 7, '3-5': 3})
    """
    counts: Counter[str] = Counter()
    for size, groups in sizes.items():
        counts[size_range(size)] += groups
    return counts


def tally_of(statistics: Statistics) -> Tally:
    """The metrics of these statistics."""
    tally = Tally()
    tally.set(DOCUMENTS, statistics.documents)
    for name, groups in by_size_range(statistics.sizes).items():
        tally.set(GROUPS, groups, name)
    tally.set(SITES, statistics.sites)
    tally.set(REDIRECTS, statistics.redirects)
    if statistics.unsettled is not None:
        tally.set(UNSETTLED, statistics.unsettled)
    tally.set(SEEN_AT, statistics.last_seen / 1e6)
    return tally
