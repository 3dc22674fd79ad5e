"""The sizes of groups from the answers of a cluster: pure functions.

A cluster cannot count groups by their size, but it can list the sizes of those with several members, in
partitions that are small enough for its limit of buckets. All other documents are alone in their groups.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from dupgroups_es.results import total

Answer = Mapping[str, Any]

GROUPS = 50_000  # of one partition, on average: less than the buckets of an answer, as partitions differ


def group_partitions(counted: Answer) -> int:
    """How many partitions hold all groups that matter; at least 1.

    A single shard needs buckets for the groups with several members, of which there are at most as many as
    documents that are not heads. Of several shards each needs buckets for all groups, because it does not
    know which of them have further members on others.
    """
    heads: int = counted["aggregations"]["heads"]["doc_count"]
    several = counted["_shards"]["total"] > 1
    return 1 + max(heads if several else 0, total(counted) - heads) // GROUPS


def sizes(counted: Answer, partitions: Iterable[Answer]) -> dict[int, int]:
    """The number of groups by the number of their members."""
    found = Counter(
        bucket["doc_count"]
        for partition in partitions
        for bucket in partition["aggregations"]["sizes"].get("buckets", ())
    )
    alone = total(counted) - sum(size * groups for size, groups in found.items())
    return {**({1: alone} if alone > 0 else {}), **found}
