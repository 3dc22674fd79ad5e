"""Judges: functions of two Records that give a Verdict. One file per method; `JUDGES` finds them by name."""

from __future__ import annotations

from dupgroups.registry import MethodTable
from dupgroups.verdicts.base import Judge
from dupgroups.verdicts.resemblance import Resemblance

__all__ = ["JUDGES", "Judge"]

JUDGES = MethodTable("judge", {"resemblance": Resemblance})
