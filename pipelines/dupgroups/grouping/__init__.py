"""Which documents belong together: pure functions over records, without a store."""

from __future__ import annotations

from dupgroups.grouping.arrivals import Arrivals, sort_arrivals
from dupgroups.grouping.components import Age, Components
from dupgroups.grouping.corrections import Corrections
from dupgroups.grouping.key_index import KeyIndex
from dupgroups.grouping.plan import Judge, Plan, pairs_to_judge, plan
from dupgroups.grouping.rule import Rule
from dupgroups.grouping.view import View

__all__ = [
    "Age",
    "Arrivals",
    "Components",
    "Corrections",
    "Judge",
    "KeyIndex",
    "Plan",
    "Rule",
    "View",
    "pairs_to_judge",
    "plan",
    "sort_arrivals",
]
