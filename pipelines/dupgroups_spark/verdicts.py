"""The pairs that are compared, each document with the earlier ones that share most keys with it, and which of
them join, decided on the executors.

The limits are those of `grouping.key_index`: of a key that many documents hold the first holders are met.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F  # noqa: N812

from dupgroups.flow.method_set import MethodSet
from dupgroups.grouping.key_index import crowd
from dupgroups.grouping.rule import Rule
from dupgroups.methods.verdicts.base import BatchPrefilter, Bodies, Judge
from dupgroups.model import Record, Signature
from dupgroups.model.config import Config
from dupgroups_spark.components import kept

JOINED = "place bigint, id string, other bigint, other_id string, score double"
_READ = ("id", "host", "scheme", "body", "published", "text")  # of each document of a doubtful pair
_A_KEY = ("-",)  # judges never read keys, but see whether a record has any
RECORD = ("id", "host", "scheme", "body", "day")  # what judging a pair reads of a document


def candidates(documents: DataFrame, rule: Rule) -> DataFrame:
    """The pairs, with what RECORD names of the later document, and of the earlier one as `other_id`, ...

    `documents` has these columns and `keys`, and `place`, which is larger the younger the document is.
    """
    records = documents.select("place", *RECORD)
    others = records.toDF("other", *(f"other_{name}" for name in RECORD))
    pairs = _sharing(documents, crowd(rule.candidates)).join(others, "other")
    pairs = pairs.where(F.col("shared") >= _needed("other_scheme"))
    nearest = Window.partitionBy("place").orderBy(F.desc("shared"), "other_id")
    pairs = pairs.withColumn("nth", F.row_number().over(nearest)).where(F.col("nth") <= rule.candidates)
    return pairs.join(records, "place").where(_near(rule)).drop("nth", "shared")


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


def _needed(scheme: str) -> Column:
    """How many keys two documents must share, as `Signature.shared_keys` says."""
    named = F.regexp_extract(scheme, r" shared_keys=(\d+)", 1)
    return F.when(named == "", F.lit(1)).otherwise(named.cast("int"))


def _near(rule: Rule) -> Column:
    """Whether two documents are near enough in time, as `Rule.compares` says of two records."""
    if rule.within_days is None:
        return F.lit(True)
    return F.abs(F.col("day") - F.col("other_day")) <= rule.within_days


def joined(pairs: DataFrame, documents: DataFrame, config: Config) -> DataFrame:
    """Those of the pairs (see `candidates`) that join.

    Pairs that signatures leave in doubt come together with the texts of the documents.
    """
    judged = kept(pairs.mapInArrow(partial(_joined, config), f"{JOINED}, doubtful boolean"))
    texts = documents.select("place", *_READ)
    others = texts.toDF("other", *(f"other_{name}" for name in _READ))
    doubtful = judged.where("doubtful").select("place", "other").join(texts, "place").join(others, "other")
    looked = doubtful.mapInArrow(partial(_looked, config), JOINED)
    return judged.where("not doubtful").drop("doubtful").union(looked)


def _looked(config: Config, tables: Iterator[Any]) -> Iterator[Any]:
    """The pairs that join by their texts."""
    methods, rule = MethodSet(config), Rule.of(config)
    for table in tables:
        scores: dict[int, float] = {}
        for number, row in enumerate(table.to_pylist()):
            pair = _pair(row)
            first = methods.judge(row["scheme"])(*pair)
            verdict = methods.second_look(*pair, first, (row["other_text"], row["text"]))
            if rule.joins(verdict):
                scores[number] = verdict.score
        yield _scored(table, scores)


def _joined(config: Config, tables: Iterator[Any]) -> Iterator[Any]:
    methods, rule = MethodSet(config), Rule.of(config)
    for table in tables:
        schemes = np.array(table.column("scheme").to_pylist(), object)
        for scheme in sorted(set(schemes)):
            rows = table.take(pa.array(np.flatnonzero(schemes == scheme)))
            yield _joined_of_scheme(rows, methods.judge(scheme), rule)


def _scored(rows: Any, scores: dict[int, float]) -> Any:
    """Some of the rows, each with its score."""
    names = ["place", "id", "other", "other_id"]
    kept_rows = rows.take(pa.array(list(scores), pa.int64())).select(names)
    found = pa.array(list(scores.values()), pa.float64())
    return pa.RecordBatch.from_arrays([*kept_rows.columns, found], [*names, "score"])


def _joined_of_scheme(rows: Any, judge: Judge, rule: Rule) -> Any:
    """The rows that join, of one scheme."""
    asked = np.flatnonzero(_may_join(rows, judge))
    pairs = map(_pair, rows.take(pa.array(asked)).to_pylist())
    verdicts = (judge(*pair) for pair in pairs)
    judged = list(zip(asked.tolist(), verdicts, strict=True))
    doubtful = {row for row, verdict in judged if verdict.doubtful}
    scores = {row: verdict.score for row, verdict in judged if rule.joins(verdict) or verdict.doubtful}
    scored = _scored(rows, scores)
    flags = pa.array([row in doubtful for row in scores], pa.bool_())
    return pa.RecordBatch.from_arrays([*scored.columns, flags], [*scored.schema.names, "doubtful"])


def _may_join(rows: Any, judge: Judge) -> NDArray[np.bool_]:
    """See BatchPrefilter; all the pairs of a judge that cannot do it."""
    if not isinstance(judge, BatchPrefilter):
        return np.ones(rows.num_rows, np.bool_)
    return judge.may_join(_bodies(rows.column("other_body")), _bodies(rows.column("body")))


def _bodies(array: Any) -> Bodies:
    bodies = array.to_pylist()
    ends = np.cumsum([len(body) for body in bodies], dtype=np.int64)
    starts = np.concatenate([np.zeros(1, np.int64), ends])[:-1]
    return Bodies(np.frombuffer(b"".join(bodies), np.uint8), starts, ends)


def _pair(row: dict[str, Any]) -> tuple[Record, Record]:
    """The pair as records with what judges read of them, the earlier document first."""
    return _record(row, "other_"), _record(row, "")


def _record(row: dict[str, Any], prefix: str) -> Record:
    id_, host, body = (row[f"{prefix}{name}"] for name in ("id", "host", "body"))
    published = row.get(f"{prefix}published")  # only texts are judged by it
    return Record(id_, id_, host, Signature(row["scheme"], _A_KEY, body), published=published)
