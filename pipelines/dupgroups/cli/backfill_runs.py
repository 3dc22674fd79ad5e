"""The runs of `dup-groups backfill` that have a work folder: carried out, listed, checked, taken back."""

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
from dupgroups.model import Check
from dupgroups.model.config import Config
from dupgroups.text.counted import counted

if TYPE_CHECKING:
    from dupgroups.bulk.backfill import Report
    from dupgroups.bulk.backfill.bulk_loader import BulkLoader
    from dupgroups.bulk.backfill.runs import Limits

WORK = Path("dupgroups-backfill")


def carry_out(run: BulkLoader, *, verify: bool) -> tuple[Report, list[Check] | None]:
    """Begin a run, or go on with the one that was not finished, and check every document at the end."""
    if run.unfinished:
        stderr().print(f"going on with {run.unfinished}")
    with step_bars("signing", "grouping", "writing", "settling") as show:
        report = run.run(show)
    checks = None
    if verify:
        with step_bars("reading") as show:
            checks = run.verify(show)
    report.run = run.finish()
    return report, checks


def warn_of_encoding(why: str) -> None:
    """Say that more than the `dup_` fields changes in documents, if there is a reason why."""
    if why:
        stderr().print(
            f"the server writes numbers and the order of fields of each document anew: {why}", soft_wrap=True
        )


def warn_of_moved(engine: Engine) -> None:
    """Say which other indices cannot be grouped, because grouped documents were moved there."""
    if isinstance(engine, Adopting) and (sentence := engine.moved()):
        stderr().print(sentence, soft_wrap=True)


def undo(
    engine: Engine,
    config: Config,
    work: Path,
    name: str,
    limits: Limits,
    *,
    yes: bool,
    as_json: bool,
) -> None:
    """Take a run back, and say what came of it. What is kept beside the index goes if no group is left."""
    from dupgroups.bulk.backfill.run_directory import folder_of
    from dupgroups.bulk.backfill.undo import undo as take_back

    folder = folder_of(work, name)
    if not (isinstance(engine, Adopting) and engine.is_foreign()):
        raise InputError(f"{engine.name} is not an index of other tools: no run over it can be taken back")
    index = engine.adopt()
    with step_bars("undoing") as show:
        undone = take_back(folder, index, config, limits, progress=show)
    if as_json:
        print_json(undone)
    else:
        typer.echo(f"{counted(undone.restored, 'document')} as before {name}")
        warn_of_encoding(index.encodes)
        if undone.changed:
            left = counted(len(undone.changed), "document")
            typer.echo(f"{left} left alone, because others have changed them since")
    if engine.kept_fields() is None:
        remove_side_indices(engine, yes=yes)
