"""Sign, look, plan, commit: how documents come into their groups, and stay there.

`commit` holds the loop that every writer goes through; `grouping.plan` decides.
"""

from __future__ import annotations

from dupgroups.flow.deduper import Deduper, Settled, now

__all__ = ["Deduper", "Settled", "now"]
