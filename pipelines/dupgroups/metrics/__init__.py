"""What is measured while dup-groups runs. Only `exposition`, imported by itself, needs prometheus-client."""

from dupgroups.metrics.index import INDEXED, by_size_range, tally_of
from dupgroups.metrics.table import METRICS, Metric
from dupgroups.metrics.tally import Distribution, Tally

__all__ = ["INDEXED", "METRICS", "Distribution", "Metric", "Tally", "by_size_range", "tally_of"]
