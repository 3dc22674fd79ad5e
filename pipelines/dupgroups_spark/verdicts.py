"""Which of the compared pairs join, decided on the executors."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyspark.sql import DataFrame

from dupgroups.flow.method_set import MethodSet
from dupgroups.grouping import Rule
from dupgroups.methods.verdicts.base import BatchPrefilter, Bodies, Judge
from dupgroups.model import Record, Signature
from dupgroups.model.config import Config
from dupgroups_spark.kept import kept

JOINED = "place bigint, id string, other bigint, other_id string, score double"
_READ = ("id", "host", "scheme", "body", "text")  # of each document of a doubtful pair
_A_KEY = ("-",)  # judges never read keys, but see whether a record has any


def joined(pairs: DataFrame, documents: DataFrame, config: Config) -> DataFrame:
    """Those of the pairs (see `candidates`) that join. `score` is null where closure does not ask for it.

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
        scores: dict[int, float | None] = {}
        for number, row in enumerate(table.to_pylist()):
            pair = _record(row, "other_"), _record(row, "")
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


def _scored(rows: Any, scores: dict[int, float | None]) -> Any:
    """Some of the rows, each with its score."""
    names = ["place", "id", "other", "other_id"]
    kept_rows = rows.take(pa.array(list(scores), pa.int64())).select(names)
    found = pa.array(list(scores.values()), pa.float64())
    return pa.RecordBatch.from_arrays([*kept_rows.columns, found], [*names, "score"])


def _joined_of_scheme(rows: Any, judge: Judge, rule: Rule) -> Any:
    """The rows that join, of one scheme."""
    seen = _prefilter(rows, judge, rule)
    surely = (seen > 0) & (rule.linkage == "closure")
    asked = np.flatnonzero((seen >= 0) & ~surely)
    verdicts = (judge(*pair) for pair in _records(rows.take(pa.array(asked))))
    judged = list(zip(asked.tolist(), verdicts, strict=True))
    scores: dict[int, float | None] = dict.fromkeys(np.flatnonzero(surely).tolist())
    doubtful = {row for row, verdict in judged if verdict.doubtful}
    scores |= {row: verdict.score for row, verdict in judged if rule.joins(verdict) or verdict.doubtful}
    scored = _scored(rows, scores)
    flags = pa.array([row in doubtful for row in scores], pa.bool_())
    return pa.RecordBatch.from_arrays([*scored.columns, flags], [*scored.schema.names, "doubtful"])


def _prefilter(rows: Any, judge: Judge, rule: Rule) -> NDArray[np.int8]:
    """See BatchPrefilter; 0 for the pairs of a judge that cannot do it."""
    if not isinstance(judge, BatchPrefilter):
        return np.zeros(rows.num_rows, np.int8)
    host, other = (np.array(rows.column(name).to_pylist(), object) for name in ("host", "other_host"))
    same_host = (host == other) & (host != "")
    return judge.prefilter(
        _bodies(rows.column("other_body")), _bodies(rows.column("body")), same_host, rule.join
    )


def _bodies(array: Any) -> Bodies:
    bodies = array.to_pylist()
    ends = np.cumsum([len(body) for body in bodies], dtype=np.int64)
    starts = np.concatenate([np.zeros(1, np.int64), ends])[:-1]
    return Bodies(np.frombuffer(b"".join(bodies), np.uint8), starts, ends)


def _records(rows: Any) -> Iterator[tuple[Record, Record]]:
    """The pairs as records with what judges read of them, the earlier document first."""
    for row in rows.to_pylist():
        yield _record(row, "other_"), _record(row, "")


def _record(row: dict[str, Any], prefix: str) -> Record:
    id_, host, body = (row[f"{prefix}{name}"] for name in ("id", "host", "body"))
    return Record(id_, id_, host, Signature(row["scheme"], _A_KEY, body))
