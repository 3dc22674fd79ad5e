"""The runs of `dup-groups backfill` that have a work folder: carried out, listed, checked, taken back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from dupgroups.cli.output import print_json, stderr, stdout
from dupgroups.cli.progress import step_bars

if TYPE_CHECKING:
    from dupgroups.backfill import Report
    from dupgroups.backfill.bulk import BulkBackfill
    from dupgroups.config import Config
    from dupgroups.engines import Engine
    from dupgroups.model import Check

WORK = Path("dupgroups-backfill")


def carry_out(run: BulkBackfill) -> Report:
    """Begin a run, or go on with the one that was not finished."""
    if run.unfinished:
        stderr().print(f"going on with {run.unfinished}")
    with step_bars("signing", "grouping", "writing", "settling") as show:
        return run.run(show)


def verified(engine: Engine, config: Config, processes: int | None) -> list[Check]:
    """Check every document of an index; a store of our own by the rules of `doctor --deep`."""
    from dupgroups.audit import audit
    from dupgroups.engines.foreign import Adopting
    from dupgroups.verification import verify

    if not (isinstance(engine, Adopting) and engine.is_foreign()):
        return audit(engine, config)
    with step_bars("reading") as show:
        return verify(engine.adopt(), config, processes=processes, progress=show)


def print_checks(checks: Sequence[Check]) -> None:
    """Print a line for each check."""
    for check in checks:
        mark, style = ("ok", "green") if check.ok else ("WRONG", "bold red")
        stdout().print(
            f"{mark:5}  {check.name}: {check.detail}", style=None if check.ok else style, soft_wrap=True
        )


def show(work: Path, *, as_json: bool) -> None:
    """List the runs, the oldest first."""
    from dupgroups.backfill.folder import folders
    from dupgroups.web.wording import counted

    runs = [folder.run for folder in folders(work)]
    if as_json:
        names = ("name", "engine", "step", "documents", "counts")
        print_json([{name: getattr(run, name) for name in names} for run in runs])
        return
    if not runs:
        stdout().print(f"{work} holds no runs")
    for run in runs:
        states = ", ".join(f"{count} {state}" for state, count in run.counts.items())
        stdout().print(
            f"{run.name}  {run.step}  {run.engine}  {states or counted(run.documents, 'document')}"
        )


def undo(
    engine: Engine,
    config: Config,
    work: Path,
    name: str,
    rate: float | None,
    processes: int | None,
    *,
    as_json: bool,
) -> None:
    """Take a run back, and say what came of it."""
    from dupgroups.backfill.folder import folder_of
    from dupgroups.backfill.undo import undo as take_back
    from dupgroups.engines.foreign import Adopting
    from dupgroups.errors import InputError
    from dupgroups.web.wording import counted

    folder = folder_of(work, name)
    if not (isinstance(engine, Adopting) and engine.is_foreign()):
        raise InputError(f"{engine.name} is not an index of other tools: no run over it can be taken back")
    with step_bars("undoing") as show:
        undone = take_back(folder, engine.adopt(), config, rate=rate, processes=processes, progress=show)
    if as_json:
        print_json(undone)
        return
    typer.echo(f"{counted(undone.restored, 'document')} as before {name}")
    if undone.changed:
        typer.echo(
            f"{counted(len(undone.changed), 'document')} left alone, because others have changed them since"
        )
