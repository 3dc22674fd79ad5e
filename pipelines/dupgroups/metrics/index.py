"""The figures of an index as metrics."""

from __future__ import annotations

from collections.abc import Mapping

from dupgroups.metrics.table import (
    DOCUMENTS,
    ENGINE_UP,
    GROUPS,
    LARGER,
    REDIRECTS,
    SEEN_AT,
    SITES,
    SIZES,
    UNSETTLED,
    size_range,
)
from dupgroups.metrics.tally import Tally
from dupgroups.model import Statistics

INDEXED = (ENGINE_UP, DOCUMENTS, GROUPS, SITES, REDIRECTS, UNSETTLED, SEEN_AT)


def by_size_range(sizes: Mapping[int, int]) -> dict[str, int]:
    """The number of groups in each range of sizes, smallest first.

    >>> [name for name, groups in by_size_range({1: 7, 3: 2, 4: 1}).items() if groups == 3]
    ['3-5']
    """
    counts = dict.fromkeys((*SIZES, LARGER), 0)
    for size, groups in sizes.items():
        counts[size_range(size)] += groups
    return counts


def tally_of(statistics: Statistics | None) -> Tally:
    """The metrics of INDEXED from these statistics; None if the engine did not give them."""
    tally = Tally()
    tally.set(ENGINE_UP, statistics is not None)
    if statistics is None:
        return tally
    tally.set(DOCUMENTS, statistics.documents)
    for name, groups in by_size_range(statistics.sizes).items():
        tally.set(GROUPS, groups, name)
    tally.set(SITES, statistics.sites)
    tally.set(REDIRECTS, statistics.redirects)
    if statistics.unsettled is not None:
        tally.set(UNSETTLED, statistics.unsettled)
    tally.set(SEEN_AT, statistics.last_seen / 1e6)
    return tally
