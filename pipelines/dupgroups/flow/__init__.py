"""Sign, look, plan, commit: how documents come into their groups, and stay there.

`commit` holds the loop that every writer goes through; `grouping.plan` decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupgroups.flow.deduper import Deduper, Settled, now

__all__ = ["Deduper", "Settled", "now"]


def __getattr__(name: str) -> object:
    """On first use: `dup-groups --help` reads modules of this package, but needs no methods."""
    if name not in __all__:
        raise AttributeError(f"module 'dupgroups.flow' has no attribute {name!r}")
    from dupgroups.flow import deduper

    return getattr(deduper, name)
