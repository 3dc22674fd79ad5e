"""The adjusted Rand index of groups.

Hubert, Arabie: Comparing partitions (1985). With a, g and c the numbers of pairs that are together in both
partitions, in the groups, and in the clusters, and n the number of all pairs:

    ARI = (a - g c / n) / ((g + c) / 2 - g c / n)

1 for equal partitions, about 0 for random groups, below 0 for worse. Ignored pairs count like others here.
"""

from __future__ import annotations

from dupgroups_lab.measures.pairwise import pairs_of


def adjusted(in_both: int, in_groups: int, in_clusters: int, documents: int) -> float:
    """The index, -1 to 1, from numbers of pairs together; 1 when both partitions are the same trivial one."""
    chance = in_groups * in_clusters / (pairs_of(documents) or 1)
    mean = (in_groups + in_clusters) / 2
    return 1.0 if mean == chance else (in_both - chance) / (mean - chance)
