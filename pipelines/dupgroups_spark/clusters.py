"""Average linkage: components of joined pairs that may have to be divided, each put together in one task."""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame

from dupgroups.bulk.offline.dividing import MIN_DIVISIBLE, put_together
from dupgroups.flow.method_set import MethodSet
from dupgroups.grouping.grouping_rule import GroupingRule
from dupgroups.model import NO_SIGNATURE, Record, Verdict
from dupgroups.model.config import Config
from dupgroups.text.batches import batches

BATCH_ROWS = 10_000  # rows that are written together


def clusters(edges: DataFrame, stars: DataFrame, config: Config) -> DataFrame:
    """The clusters of the joined pairs `edges` (see `verdicts`), whose components `stars` says.

    `node` and `root` as in `stars`: each document with the oldest one of its cluster, without those that are
    the oldest themselves. A component has to fit into the memory of a task.
    """
    roots = stars.groupBy("root").count()
    divisible = roots.where(roots["count"] >= MIN_DIVISIBLE).select("root")  # the root itself is not counted
    whole = stars.join(divisible, "root", "left_anti").select("node", "root")
    tied = edges.join(stars.withColumnRenamed("node", "place"), "place").join(divisible, "root")
    by_component = tied.repartition("root").sortWithinPartitions("root")
    return whole.union(by_component.mapInArrow(partial(_clusters, config), "node bigint, root bigint"))


def _clusters(config: Config, tables: Iterator[Any]) -> Iterator[Any]:
    rule = MethodSet(config).rule
    rows = (row for table in tables for row in table.to_pylist())
    found = (
        pair for _, ties in groupby(rows, key=itemgetter("root")) for pair in _divide_component(ties, rule)
    )
    for some in batches(found, BATCH_ROWS):
        nodes, roots = zip(*some, strict=True)
        yield pa.RecordBatch.from_arrays([pa.array(nodes), pa.array(roots)], ["node", "root"])


def _divide_component(ties: Iterable[dict[str, Any]], rule: GroupingRule) -> list[tuple[int, int]]:
    """The places of the documents of a component that are not the oldest of their cluster, and of these.

    A place is as good as an age; that the pairs are near enough in time is known.
    """
    places: dict[str, int] = {}
    joining = {}
    relation = min(rule.join)
    for tie in ties:
        places[tie["id"]], places[tie["other_id"]] = tie["place"], tie["other"]
        joining[tie["id"], tie["other_id"]] = Verdict(relation, tie["score"], "")
    records = [
        Record(id_, id_, "", NO_SIGNATURE, place, published=0)
        for id_, place in sorted(places.items(), key=itemgetter(1))
    ]
    groups = put_together(records, joining, rule)
    return [(places[id_], places[group]) for id_, group in groups.items() if id_ != group]
