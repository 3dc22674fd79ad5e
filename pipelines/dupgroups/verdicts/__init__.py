"""(Record, Record) -> Verdict: one file a method, one row a name."""

from __future__ import annotations

from dupgroups.verdicts.base import Judge
from dupgroups.verdicts.hamming import Hamming
from dupgroups.verdicts.jaccard import Jaccard
from dupgroups.verdicts.overlap_factors import OverlapFactors
from dupgroups.verdicts.resemblance import Resemblance

__all__ = ["JUDGES", "Judge"]

JUDGES: dict[str, type[Judge]] = {
    "hamming": Hamming,
    "jaccard": Jaccard,
    "overlap_factors": OverlapFactors,
    "resemblance": Resemblance,
}
