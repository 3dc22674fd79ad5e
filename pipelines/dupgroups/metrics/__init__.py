"""What is measured while dup-groups runs. Only `exposition`, imported by itself, needs prometheus-client."""

from dupgroups.metrics.table import INDEXED, METRICS, Metric
from dupgroups.metrics.tally import Distribution, Tally, by_size_range, tally_of

__all__ = ["INDEXED", "METRICS", "Distribution", "Metric", "Tally", "by_size_range", "tally_of"]
