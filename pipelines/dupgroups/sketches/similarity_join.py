"""All pairs of similar sets, without comparing all pairs.

Theobald, Siddharth, Paepcke: SpotSigs (SIGIR 2008), section 4. Two sets with a Jaccard similarity of at least
t have sizes that differ by a factor of 1 / t at most, so sets are put in partitions by size such that a set
meets only its own partition and the one below. In each, an inverted index leads from a feature to the sets
that hold it. Of each set the rarest features are looked up first, and once so many of them were not shared
that t cannot be reached by the others, no more are; the same bound, with the sizes, dismisses most of those
that were found.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from dupgroups.sketches.sets import common, resemblance

Set = NDArray[np.uint32]
Index = defaultdict[tuple[int, int], list[tuple[int, int]]]
_ROUNDING = 1e-9


def similar_pairs(sets: Sequence[Set], threshold: float) -> Iterator[tuple[int, int, float]]:
    """(i, j, Jaccard similarity) with i < j, for all pairs of at least `threshold` (above 0, at most 1).

    `sets` are ascending arrays of distinct values; empty ones are in no pair. Raises ValueError for another
    threshold.
    """
    if not 0 < threshold <= 1:
        raise ValueError(f"a threshold is above 0 and at most 1, not {threshold}")
    for a, b in candidate_pairs(sets, threshold):
        alike = resemblance(common(sets[a], sets[b]), len(sets[a]), len(sets[b]))
        if alike >= threshold:
            yield min(a, b), max(a, b), alike


def candidate_pairs(sets: Sequence[Set], threshold: float) -> Iterator[tuple[int, int]]:
    """The pairs that the bounds leave: all of at least `threshold`, and others."""
    rarest = _rarest_first(sets, threshold)
    partition = _partitions([len(each) for each in sets], threshold)
    index: Index = defaultdict(list)  # (partition, feature) -> sets that hold it, and at which place
    for own in sorted(range(len(sets)), key=lambda each: len(sets[each])):
        for other in _reachable(own, sets, rarest[own], partition, index, threshold):
            yield own, other
        for place, feature in enumerate(rarest[own]):
            index[partition[own], feature].append((own, place))


def _reachable(
    own: int, sets: Sequence[Set], rarest: list[int], partition: list[int], index: Index, threshold: float
) -> Iterator[int]:
    """The sets, none larger than this one, that share a feature early enough to reach the threshold."""
    size, seen = len(sets[own]), set()
    for place, feature in enumerate(rarest):
        for near in (partition[own], partition[own] - 1):
            for other, its_place in index.get((near, feature), ()):
                if other in seen:
                    continue
                seen.add(other)
                its_size = len(sets[other])
                # this is the rarest feature they share, so all others stand behind it in both
                most = min(size - place, its_size - its_place)
                if most >= threshold / (1 + threshold) * (size + its_size) - _ROUNDING:
                    yield other


def _rarest_first(sets: Sequence[Set], threshold: float) -> list[list[int]]:
    """Of each set as many of its rarest features as have to hold one that a similar set shares."""
    if not sets:
        return []
    _, codes, counts = np.unique(np.concatenate(sets), return_inverse=True, return_counts=True)
    rank = np.empty(len(counts), np.intp)
    rank[np.argsort(counts, kind="stable")] = np.arange(len(counts))
    ends = np.cumsum([len(each) for each in sets])[:-1]
    return [np.sort(each)[: _prefix(len(each), threshold)].tolist() for each in np.split(rank[codes], ends)]


def _prefix(size: int, threshold: float) -> int:
    return size - math.ceil(threshold * size - _ROUNDING) + 1 if size else 0


def _partitions(sizes: Sequence[int], threshold: float) -> list[int]:
    """The number of each size's partition: sizes two partitions apart differ by more than 1 / threshold."""
    starts = [1]
    while starts[-1] <= max(sizes, default=0):
        starts.append(int(starts[-1] / threshold + _ROUNDING) + 1)
    return [int(each) for each in np.searchsorted(starts, sizes, side="right")]
