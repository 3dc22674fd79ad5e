"""The pairs of documents that are compared: each with the earlier ones that share most keys with it.

The limits are those of `grouping.key_index`: of a key that many documents hold the first holders are met.
"""

from __future__ import annotations

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F  # noqa: N812

from dupgroups.grouping.key_index import crowd
from dupgroups.grouping.rule import Rule

RECORD = ("id", "host", "scheme", "body", "day")  # what judging a pair reads of a document


def candidates(documents: DataFrame, rule: Rule) -> DataFrame:
    """The pairs, with what RECORD names of the later document, and of the earlier one as `other_id`, ...

    `documents` has these columns and `keys`, and `place`, which is larger the younger the document is.
    """
    records = documents.select("place", *RECORD)
    others = records.toDF("other", *(f"other_{name}" for name in RECORD))
    pairs = _sharing(documents, crowd(rule.candidates)).join(others, "other")
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


def _near(rule: Rule) -> Column:
    """Whether two documents are near enough in time, as `Rule.compares` says of two records."""
    if rule.within_days is None:
        return F.lit(True)
    return F.abs(F.col("day") - F.col("other_day")) <= rule.within_days
