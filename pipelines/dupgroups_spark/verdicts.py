"""The pairs that are compared, each document with the earlier ones that share most keys with it, and which of
them join, decided on the executors.

The limits are those of `grouping.key_index`: of a key that many documents hold the first holders are met.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F  # noqa: N812

from dupgroups.flow.method_set import MethodSet
from dupgroups.grouping.grouping_rule import GroupingRule
from dupgroups.grouping.key_index import crowd
from dupgroups.methods.verdicts.base import BatchPrefilter, Bodies, Judge
from dupgroups.model import Record, Signature
from dupgroups.model.config import Config
from dupgroups_spark.star_components import persist

JOINED_COLUMNS = "place bigint, id string, other bigint, other_id string, score double"
_READ = ("id", "host", "scheme", "body", "published", "text")  # of each document of a doubtful pair
_A_KEY = ("-",)  # judges never read keys, but see whether a record has any
RECORD = ("id", "host", "scheme", "body", "day")  # what judging a pair reads of a document


def candidates(documents: DataFrame, rule: GroupingRule) -> DataFrame:
    """The pairs, with what RECORD names of the later document, and of the earlier one as `other_id`, ...

    `documents` has these columns and `keys`, and `place`, which is larger the younger the document is.
    """
    records = documents.select("place", *RECORD)
    others = records.toDF("other", *(f"other_{name}" for name in RECORD))
    pairs = _sharing(documents, crowd(rule.candidates)).join(others, "other")
    pairs = pairs.where(F.col("shared") >= _needed_keys("other_scheme"))
    nearest = Window.partitionBy("place").orderBy(F.desc("shared"), "other_id")
    pairs = pairs.withColumn("nth", F.row_number().over(nearest)).where(F.col("nth") <= rule.candidates)
    return pairs.join(records, "place").where(_near_in_time(rule)).drop("nth", "shared")


def _sharing(documents: DataFrame, most: int) -> DataFrame:
    """Pairs of places that share keys: `place`, an earlier `other`, and how many they have `shared`."""
    postings = documents.select("place", F.explode(F.array_distinct("keys")).alias("key"))
    oldest_first = Window.partitionBy("key").orderBy("place")
    holders = postings.select(
        *("key", "place", F.row_number().over(oldest_first).alias("nth")),
        F.lead("place").over(oldest_first).isNotNull().alias("followed"),
    ).where("nth > 1 or followed")
    first = holders.where(F.col("nth") <= most).select("key", F.col("place").alias("other"))
    meetings = holders.join(first, "key").where("other < place")
    return meetings.groupBy("place", "other").agg(F.count("*").alias("shared"))


def _needed_keys(scheme: str) -> Column:
    """How many keys two documents must share, as `Signature.shared_keys` says."""
    named = F.regexp_extract(scheme, r" shared_keys=(\d+)", 1)
    return F.when(named == "", F.lit(1)).otherwise(named.cast("int"))


def _near_in_time(rule: GroupingRule) -> Column:
    """Whether two documents are near enough in time, as `GroupingRule.compares` says of two records."""
    if rule.within_days is None:
        return F.lit(True)
    return F.abs(F.col("day") - F.col("other_day")) <= rule.within_days


def join_pairs(pairs: DataFrame, documents: DataFrame, config: Config) -> DataFrame:
    """Those of the pairs (see `candidates`) that join.

    Pairs that signatures leave in doubt, of many of a document the nearest (see `GroupingRule`), come with
    the texts of the documents.
    """
    asked = pairs.mapInArrow(
        partial(_judge_pairs, config), f"{JOINED_COLUMNS}, doubtful boolean, nearness double"
    )
    if most := MethodSet(config).rule.max_compared_texts:
        nearest = Window.partitionBy("place").orderBy(F.desc("nearness"), "other_id")
        asked = asked.withColumn("nth", F.row_number().over(nearest)).where(F.col("nth") <= most).drop("nth")
    judged = persist(asked.where("score >= 0").drop("nearness"))
    texts = documents.select("place", *_READ)
    others = texts.toDF("other", *(f"other_{name}" for name in _READ))
    doubtful = judged.where("doubtful").select("place", "other").join(texts, "place").join(others, "other")
    looked = doubtful.mapInArrow(partial(_judge_texts, config), JOINED_COLUMNS)
    return judged.where("not doubtful").drop("doubtful").union(looked)


def _judge_texts(config: Config, tables: Iterator[Any]) -> Iterator[Any]:
    """The pairs that join by their texts."""
    methods, rule = MethodSet(config), GroupingRule.of(config)
    for table in tables:
        scores: dict[int, float] = {}
        for number, row in enumerate(table.to_pylist()):
            pair = _pair(row)
            verdict = methods.second_look(*pair, (row["other_text"], row["text"]))
            if rule.joins(verdict):
                scores[number] = verdict.score
        yield _add_scores(table, scores)


def _judge_pairs(config: Config, tables: Iterator[Any]) -> Iterator[Any]:
    methods = MethodSet(config)
    for table in tables:
        schemes = np.array(table.column("scheme").to_pylist(), object)
        for scheme in sorted(set(schemes)):
            rows = table.take(pa.array(np.flatnonzero(schemes == scheme)))
            yield _joined_of_scheme(rows, methods.judge(scheme), methods.rule)


def _add_scores(rows: Any, scores: dict[int, float]) -> Any:
    """Some of the rows, each with its score."""
    names = ["place", "id", "other", "other_id"]
    kept_rows = rows.take(pa.array(list(scores), pa.int64())).select(names)
    found = pa.array(list(scores.values()), pa.float64())
    return pa.RecordBatch.from_arrays([*kept_rows.columns, found], [*names, "score"])


def _joined_of_scheme(rows: Any, judge: Judge, rule: GroupingRule) -> Any:
    """The rows of one scheme that the judge is asked for; the score of what surely does not join is -1."""
    may_join, nearness = _may_join(rows, judge)
    asked = np.flatnonzero(may_join)
    pairs = map(_pair, rows.take(pa.array(asked)).to_pylist())
    verdicts = (judge(*pair) for pair in pairs)
    judged = list(zip(asked.tolist(), verdicts, strict=True))
    doubtful = {row for row, verdict in judged if verdict.doubtful}
    scores = {
        row: verdict.score if rule.joins(verdict) or verdict.doubtful else -1 for row, verdict in judged
    }
    scored = _add_scores(rows, scores)
    flags = pa.array([row in doubtful for row in scores], pa.bool_())
    columns = [*scored.columns, flags, pa.array(nearness[asked])]
    return pa.RecordBatch.from_arrays(columns, [*scored.schema.names, "doubtful", "nearness"])


def _may_join(rows: Any, judge: Judge) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """See BatchPrefilter, and how near the pairs are; all the pairs of a judge that cannot do it."""
    if not isinstance(judge, BatchPrefilter):
        return np.ones(rows.num_rows, np.bool_), np.ones(rows.num_rows)
    a, b = (Bodies.of(rows.column(name).to_pylist()) for name in ("other_body", "body"))
    return judge.may_join(a, b), judge.nearness(a, b)[0]


def _pair(row: dict[str, Any]) -> tuple[Record, Record]:
    """The pair as records with what judges read of them, the earlier document first."""
    return _record(row, "other_"), _record(row, "")


def _record(row: dict[str, Any], prefix: str) -> Record:
    id_, host, body = (row[f"{prefix}{name}"] for name in ("id", "host", "body"))
    published = row.get(f"{prefix}published")  # only texts are judged by it
    return Record(id_, id_, host, Signature(row["scheme"], _A_KEY, body), published=published)
