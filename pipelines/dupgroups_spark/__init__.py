"""Group the documents of a Spark DataFrame, where the data is: the groups are those of `dup-groups group`.

    from dupgroups_spark import group

    groups = group(spark.read.parquet("s3a://news/"), order="fetched")  # id, dup_group, dup_head

Needs the extra `spark`, dup-groups on the executors, and a session that is not one of Spark Connect.
"""

from dupgroups.errors import require_extra

with require_extra("spark", "Grouping in Spark"):
    import pyarrow  # noqa: F401
    import pyspark  # noqa: F401

from dupgroups_spark.signed import sign
from dupgroups_spark.spark_groups import group

__all__ = ["group", "sign"]
