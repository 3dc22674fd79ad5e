"""Leaves out what needs PySpark where it is not installed: `make test` does without it."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("pyspark") else ["pipelines/dupgroups_spark/*", "tests/spark/*"]
