"""The groups of the documents of a frame: sign, look up by keys, judge, unite."""

import logging
from collections.abc import Iterator
from functools import partial
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F  # noqa: N812

from dupgroups.bulk.offline.bulk import MAX_SHOWN_IDS, describe_repeats
from dupgroups.errors import ConfigError, InputError
from dupgroups.flow.deduper import now_microseconds
from dupgroups.flow.method_set import MethodSet
from dupgroups.grouping.grouping_rule import GroupingRule
from dupgroups.model import DAY_MICROSECONDS, MINUTE_MICROSECONDS, NO_SIGNATURE, Record
from dupgroups.model.config import Config
from dupgroups_spark.clusters import clusters
from dupgroups_spark.signed import SIGNED_COLUMNS, sign
from dupgroups_spark.star_components import components, persist
from dupgroups_spark.verdicts import candidates, join_pairs

log = logging.getLogger(__name__)

_RANK_COLUMNS = ["id", "host", "length", "canonical", "published"]
_MEMBER = "id string, dup_group string, place bigint, rank bigint"


def group(frame: DataFrame, config: Config | None = None, *, order: str | None = None) -> DataFrame:
    """The groups of documents, as `dup-groups group` makes them of the same documents in the same order.

    `frame` and `order`: see `sign`; `frame` may also be what `sign` gave, which has its order already. The
    result has one row for each id: `id`, `dup_group` (the id of the oldest document of its group, of equally
    old ones the smallest) and `dup_head` (whether it stands for its group, by `Config.head`). An empty frame
    gives an empty one. Of several rows with one id the last counts, with the age of the first, and a warning
    is logged; of several that are equally old one counts, the same in every run.

    The work is done in this call, and what it needs is kept on the executors, or in the checkpoint directory
    if the session has one. Raises InputError for columns that are missing or of another type, and ConfigError
    for settings that Spark does not support, and for signatures of none of the configured signers.
    """
    config = config or Config()
    documents = persist(_add_places(_deduplicate_ids(_ensure_signed(frame, config, order))))
    _warn_of_repeated(documents)
    edges = persist(join_pairs(candidates(documents, GroupingRule.of(config)), documents, config))
    stars = components(edges.select(F.col("place").alias("node"), F.col("other").alias("root")))
    if config.linkage == "average":
        stars = clusters(edges, stars, config)
    return _members(documents, stars, config)


def _ensure_signed(frame: DataFrame, config: Config, order: str | None) -> DataFrame:
    if not isinstance(frame, DataFrame) or not SIGNED_COLUMNS.keys() <= set(frame.columns):
        return sign(frame, config, order=order)
    if order is not None:
        raise InputError("the documents are signed, and have their order in the column age: leave out order")
    known = MethodSet(config).schemes
    signed = frame.select(*SIGNED_COLUMNS)
    schemes = signed.where("size(keys) > 0").select("scheme").distinct().collect()
    if unknown := sorted({row.scheme for row in schemes} - known):
        raise ConfigError(
            f"there are signatures of scheme {unknown[0]!r}, but the configuration uses "
            f"{', '.join(sorted(known))}: sign the documents again, or group with the former configuration"
        )
    return signed


def _deduplicate_ids(signed: DataFrame) -> DataFrame:
    """Each id once, with the values of its last row and the age of its first; `copies` counts its rows."""
    rest = [name for name in SIGNED_COLUMNS if name not in ("id", "age")]
    rows = signed.groupBy("id").agg(
        F.min("age").alias("age"), F.max(F.struct("age", *rest)).alias("last"), F.count("*").alias("copies")
    )
    return rows.select("id", "age", "copies", *(f"last.{name}" for name in rest))


def _add_places(documents: DataFrame) -> DataFrame:
    """With a `place`, smaller for older documents, and the `day` of publication, or else that of today."""
    return documents.orderBy("age", "id").select(
        "*",
        F.monotonically_increasing_id().alias("place"),
        F.coalesce(
            F.floor(F.col("published") * MINUTE_MICROSECONDS / DAY_MICROSECONDS),
            F.lit(now_microseconds() // DAY_MICROSECONDS),
        ).alias("day"),
    )


def _warn_of_repeated(documents: DataFrame) -> None:
    repeated = documents.where("copies > 1")  # of each id all rows but one came again
    (times,) = repeated.agg(F.coalesce(F.sum(F.col("copies") - 1), F.lit(0))).head() or (0,)
    if times:
        rows = repeated.orderBy("place").select("id").head(MAX_SHOWN_IDS + 1)
        log.warning(describe_repeats(times, [row.id for row in rows]))


def _members(documents: DataFrame, stars: DataFrame, config: Config) -> DataFrame:
    """Each document with the name of its group, and whether it is its head."""
    names = documents.select(F.col("place").alias("root"), F.col("id").alias("dup_group"))
    placed = documents.select(*_RANK_COLUMNS, F.col("place").alias("node"))
    rooted = placed.join(stars, "node", "left").withColumn("root", F.coalesce("root", "node"))
    ranked = rooted.join(names, "root").mapInArrow(
        partial(_rank_members, config, now_microseconds()), _MEMBER
    )
    first = Window.partitionBy("dup_group").orderBy("rank", "place")
    return ranked.select("id", "dup_group", (F.row_number().over(first) == 1).alias("dup_head"))


def _rank_members(config: Config, seen: int, tables: Iterator[Any]) -> Iterator[Any]:
    """How the members of a group, all `seen` now, are ordered by `Config.head`; of equal ones the oldest
    first.
    """
    order, names = GroupingRule.of(config).order, ["id", "dup_group", "node"]
    for table in tables:
        rows = table.select(_RANK_COLUMNS).to_pylist()
        ranks = [order(_record(first_seen=seen, **row))[0] for row in rows]
        columns = [*table.select(names).columns, pa.array(ranks, pa.int64())]
        yield pa.RecordBatch.from_arrays(columns, ["id", "dup_group", "place", "rank"])


def _record(id: str, host: str, **values: Any) -> Record:  # noqa: A002
    return Record(id, id, host, NO_SIGNATURE, **values)
