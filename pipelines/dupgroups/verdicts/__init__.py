"""Judges: functions of two Records that give a Verdict. One file per method; `JUDGES` lists them by name."""

from __future__ import annotations

from dupgroups.verdicts.base import Judge
from dupgroups.verdicts.cosine import CosineSimilarity
from dupgroups.verdicts.fingerprints import Fingerprints
from dupgroups.verdicts.hamming import Hamming
from dupgroups.verdicts.henzinger import HenzingerRule
from dupgroups.verdicts.jaccard import Jaccard
from dupgroups.verdicts.overlap_factors import OverlapFactors
from dupgroups.verdicts.resemblance import Resemblance
from dupgroups.verdicts.supershingles import Supershingles
from dupgroups.verdicts.weighted_jaccard import WeightedJaccard

__all__ = ["JUDGES", "Judge"]

JUDGES: dict[str, type[Judge]] = {
    "cosine": CosineSimilarity,
    "fingerprints": Fingerprints,
    "hamming": Hamming,
    "henzinger": HenzingerRule,
    "jaccard": Jaccard,
    "overlap_factors": OverlapFactors,
    "resemblance": Resemblance,
    "supershingles": Supershingles,
    "weighted_jaccard": WeightedJaccard,
}
