"""The figures of an index as metrics."""

from __future__ import annotations

from collections.abc import Mapping

from dupgroups.metrics import table
from dupgroups.metrics.table import LARGER, SIZES
from dupgroups.metrics.tally import Tally
from dupgroups.model import Statistics


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
