"""Group the documents that an index already holds."""

from __future__ import annotations

from dupgroups.bulk.backfill.incremental import Backfill
from dupgroups.bulk.backfill.report import Group, Pair, Report

__all__ = ["Backfill", "Group", "Pair", "Report"]
