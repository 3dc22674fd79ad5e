"""The adjusted Rand index of groups.

Hubert, Arabie: Comparing partitions (1985). With a, g and c the numbers of pairs that stand together in both
partitions, in the groups, and in the clusters, and n the number of all pairs:

    ARI = (a - g c / n) / ((g + c) / 2 - g c / n)

1 for equal partitions, about 0 for groups by chance, below 0 for worse. Nothing is ignored here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from dupgroups_lab.measures.pairwise import pairs_of


def adjusted_rand_index(groups: Mapping[str, str], clusters: Mapping[str, str]) -> float:
    """-1 to 1; both map the same documents. 1 for no documents."""
    both = together((groups[own], clusters[own]) for own in groups)
    return adjusted(both, together(groups.values()), together(clusters.values()), len(groups))


def adjusted(both: int, found: int, true: int, documents: int) -> float:
    """The index from the numbers of pairs together; 1 when both partitions are the same trivial one."""
    chance = found * true / (pairs_of(documents) or 1)
    mean = (found + true) / 2
    return 1.0 if mean == chance else (both - chance) / (mean - chance)


def together(parts: Iterable[object]) -> int:
    """How many pairs are in one part, of the part that each document is in."""
    return sum(pairs_of(size) for size in Counter(parts).values())
