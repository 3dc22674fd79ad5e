"""Judges: functions of two Records that give a Verdict. One file per method; `JUDGES` finds them by name."""

from __future__ import annotations

from dupgroups.methods.registry import MethodTable
from dupgroups.methods.verdicts.base import Judge
from dupgroups.methods.verdicts.evidence_judge import EvidenceJudge

__all__ = ["JUDGES", "Judge"]

JUDGES = MethodTable("judge", {"evidence": EvidenceJudge})
