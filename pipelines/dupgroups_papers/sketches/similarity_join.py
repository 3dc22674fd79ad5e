"""All pairs of similar sets, without comparing all pairs.

Theobald, Siddharth, Paepcke: SpotSigs (SIGIR 2008), section 4. The sizes of two sets with a Jaccard
similarity of at least t differ at most by a factor of 1 / t. The sets are therefore partitioned by size, such
that a set is compared only within its partition and with the one below. In each partition an inverted index
leads from a feature to the sets that hold it. The rarest features of a set are looked up first, and the
search stops when the remaining features cannot reach t. The same bound, with the sizes, dismisses most
candidates.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from dupgroups.text.sets import resemblance
from dupgroups_papers.sketches.set_sketches import common

Set = NDArray[np.uint32]
Index = defaultdict[tuple[int, int], list[tuple[int, int]]]
_ROUNDING_ERROR = 1e-9


def similar_pairs(sets: Sequence[Set], threshold: float) -> Iterator[tuple[int, int, float]]:
    """(i, j, Jaccard similarity) with i < j, for all pairs of at least `threshold` (above 0, at most 1).

    `sets` are ascending arrays of distinct values; empty ones are in no pair. Raises ValueError for a
    threshold out of range.
    """
    if not 0 < threshold <= 1:
        raise ValueError(f"a threshold must be above 0 and at most 1, not {threshold}")
    for a, b in candidate_pairs(sets, threshold):
        alike = resemblance(common(sets[a], sets[b]), len(sets[a]), len(sets[b]))
        if alike >= threshold:
            yield min(a, b), max(a, b), alike


def candidate_pairs(sets: Sequence[Set], threshold: float) -> Iterator[tuple[int, int]]:
    """The pairs that the bounds do not exclude: all pairs of at least `threshold`, and some others."""
    rarest = _rarest_first(sets, threshold)
    partition = _partitions([len(members) for members in sets], threshold)
    # (partition, feature) -> (set that holds it, place of the feature in it)
    index: Index = defaultdict(list)
    for current in sorted(range(len(sets)), key=lambda number: len(sets[number])):
        for other in _reachable(current, sets, rarest[current], partition, index, threshold):
            yield current, other
        for place, feature in enumerate(rarest[current]):
            index[partition[current], feature].append((current, place))


def _reachable(
    current: int, sets: Sequence[Set], rarest: list[int], partition: list[int], index: Index, threshold: float
) -> Iterator[int]:
    """The indexed sets (none larger than this one) that share a feature early enough for the threshold."""
    size, seen = len(sets[current]), set()
    for place, feature in enumerate(rarest):
        for number in (partition[current], partition[current] - 1):
            for other, other_place in index.get((number, feature), ()):
                if other in seen:
                    continue
                seen.add(other)
                other_size = len(sets[other])
                # this is the rarest feature that they share, so all other shared ones come after it in both
                most = min(size - place, other_size - other_place)
                if most >= threshold / (1 + threshold) * (size + other_size) - _ROUNDING_ERROR:
                    yield other


def _rarest_first(sets: Sequence[Set], threshold: float) -> list[list[int]]:
    """The rarest features of each set, as many as are needed to include one that any similar set shares."""
    if not sets:
        return []
    _, codes, counts = np.unique(np.concatenate(sets), return_inverse=True, return_counts=True)
    rank = np.empty(len(counts), np.intp)
    rank[np.argsort(counts, kind="stable")] = np.arange(len(counts))
    ends = np.cumsum([len(members) for members in sets])[:-1]
    rank_sets = np.split(rank[codes], ends)
    return [np.sort(ranks)[: _prefix(len(ranks), threshold)].tolist() for ranks in rank_sets]


def _prefix(size: int, threshold: float) -> int:
    return size - math.ceil(threshold * size - _ROUNDING_ERROR) + 1 if size else 0


def _partitions(sizes: Sequence[int], threshold: float) -> list[int]:
    """The number of each size's partition: sizes two partitions apart differ by more than 1 / threshold."""
    starts = [1]
    while starts[-1] <= max(sizes, default=0):
        starts.append(int(starts[-1] / threshold + _ROUNDING_ERROR) + 1)
    return [int(number) for number in np.searchsorted(starts, sizes, side="right")]
