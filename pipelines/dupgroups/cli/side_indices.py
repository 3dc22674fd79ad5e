"""What is kept beside an index of other tools: taken away on demand."""

from __future__ import annotations

import sys

import typer

from dupgroups.cli.output import stderr
from dupgroups.engines.foreign import Adopting


def remove_side_indices(engine: Adopting, *, yes: bool) -> bool:
    """Say what there is, ask unless `yes`, and delete it; whether nothing is left. If nobody can be asked,
    because the input is not a terminal, it is kept.
    """
    found = engine.side_indices()
    if not found:
        return True
    for name, what in found.items():
        stderr().print(f"{name}: {what}", soft_wrap=True)
    if not yes and not (sys.stdin.isatty() and typer.confirm("Delete them?", err=True)):
        stderr().print("kept: `dup-groups doctor --remove --yes` deletes them")
        return False
    engine.remove_side_indices()
    for name in found:
        stderr().print(f"deleted {name}", soft_wrap=True)
    return True
