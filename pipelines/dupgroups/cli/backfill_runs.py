"""The runs of `dup-groups backfill` over an index of other tools: carried out, and taken back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from dupgroups.cli.engine import remove_side_indices
from dupgroups.cli.output import print_json, stderr
from dupgroups.cli.progress import step_bars
from dupgroups.engines import Engine
from dupgroups.engines.parts import Adopting
from dupgroups.errors import InputError
from dupgroups.model.config import Config
from dupgroups.text.counted import counted

if TYPE_CHECKING:
    from dupgroups.bulk.backfill import Report
    from dupgroups.bulk.backfill.bulk_loader import BulkLoader
    from dupgroups.bulk.backfill.runs import Limits

WORK = Path("dupgroups-backfill")


def carry_out(run: BulkLoader) -> Report:
    """Begin a run, or go on with the one that was not finished."""
    if run.unfinished:
        stderr().print(f"going on with {run.unfinished}")
    with step_bars("signing", "grouping", "writing", "settling") as show:
        return run.run(show)


def undo(engine: Engine, config: Config, work: Path, limits: Limits, *, yes: bool, as_json: bool) -> None:
    """Take the groups out of an index, and say what came of it. What is kept beside it goes, too."""
    from dupgroups.bulk.backfill.undo import undo as take_back

    if not (isinstance(engine, Adopting) and engine.is_foreign()):
        raise InputError(f"{engine.name} is not an index of other tools: it keeps its groups")
    if engine.kept_fields() is None:
        raise InputError(f"{engine.name} is not adopted: it has no groups that could be taken out")
    index = engine.adopt()
    with step_bars("undoing") as show:
        undone = take_back(index, config, work, limits, progress=show)
    if as_json:
        print_json(undone)
    else:
        typer.echo(f"{counted(undone.restored, 'document')} as before")
    if undone.left:
        left = counted(undone.left, "document")
        stderr().print(f"{left} left alone, as others wrote meanwhile: let them pause, and undo again")
        raise typer.Exit(1)
    remove_side_indices(engine, yes=yes)
