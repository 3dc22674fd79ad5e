"""The runs of `dup-groups backfill` that have a work folder: carried out, listed, checked, taken back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from dupgroups.cli.output import print_json, stderr, stdout
from dupgroups.cli.progress import step_bars

if TYPE_CHECKING:
    from dupgroups.backfill import Report
    from dupgroups.backfill.bulk import BulkBackfill
    from dupgroups.backfill.folder import Folder
    from dupgroups.backfill.into import Copied, IntoBackfill
    from dupgroups.config import Config
    from dupgroups.engines import Engine
    from dupgroups.model import Check

WORK = Path("dupgroups-backfill")
SHOWN = 10  # documents that are listed


def carry_out(run: BulkBackfill) -> Report:
    """Begin a run, or go on with the one that was not finished."""
    if run.unfinished:
        stderr().print(f"going on with {run.unfinished}")
    with step_bars("signing", "grouping", "writing", "settling") as show:
        return run.run(show)


def copy(run: IntoBackfill, config: Config, processes: int | None, *, as_json: bool) -> None:
    """Begin a run that copies, or go on with one, and say what came of it."""
    from dupgroups.verification import verify
    from dupgroups.web.wording import counted

    if run.unfinished:
        stderr().print(f"going on with {run.unfinished}")
    with step_bars("signing", "grouping", "writing", "settling", "reading") as show:
        copied = run.copy(lambda index: verify(index, config, processes=processes, progress=show), show)
    if as_json:
        print_json(copied)
    else:
        states = ", ".join(f"{count} {state}" for state, count in copied.report.states.most_common())
        stdout().print(f"{counted(copied.report.documents, 'document')}: {states or 'none'}", soft_wrap=True)
        print_checks(copied.checks)
        for line in _after_copying(copied):
            stdout().print(line, soft_wrap=True)
        print_failures(copied.report)
    if not copied.is_whole:
        raise typer.Exit(1)


def _after_copying(copied: Copied) -> Iterator[str]:
    from dupgroups.web.wording import counted

    if copied.late:
        yield f"{counted(copied.late, 'document')} came, changed or went meanwhile, in {copied.into} as well"
    if copied.left:
        some = ", ".join(copied.left[:SHOWN])
        yield f"changed in {copied.index} and in {copied.into}, where they stay as they are: {some}"
    if copied.alias:
        yield f"the alias {copied.alias} leads to {copied.into} now, and no longer to {copied.index}"
    elif not copied.is_whole:
        yield (
            f"nothing leads to {copied.into} yet: when that is mended, the same command goes on and checks "
            "again"
        )
    else:
        yield f"{copied.into} is ready; this deletes {copied.index}, and lets its name lead to {copied.into}:"
        yield copied.command
    if copied.alias and copied.others:
        yield f"still leading to {copied.index}: {', '.join(copied.others)}"
    if copied.unclear:
        yield (
            f"{counted(copied.unclear, 'more write')} came into {copied.index} at the end: what was deleted "
            f"there then is still in {copied.into}"
        )
    if copied.unseen:
        yield f"{copied.index} has been written since: stop that, and the same command brings it over as well"
    yield f"run {copied.report.run}: `dup-groups backfill --undo {copied.report.run}` takes it back"


def print_failures(report: Report) -> None:
    """Print the first documents that were refused, with the reasons."""
    for id_, reason in list(report.failures.items())[:SHOWN]:
        stdout().print(f"rejected {id_}: {reason}", style="red", soft_wrap=True)


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
        names = ("name", "engine", "into", "step", "documents", "counts")
        print_json([{name: getattr(run, name) for name in names} for run in runs])
        return
    if not runs:
        stdout().print(f"{work} holds no runs")
    for run in runs:
        states = ", ".join(f"{count} {state}" for state, count in run.counts.items())
        place = f"{run.engine} into {run.into}" if run.into else run.engine
        stdout().print(f"{run.name}  {run.step}  {place}  {states or counted(run.documents, 'document')}")


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
    if folder.run.into:
        _undo_copy(engine, folder, as_json=as_json)
        return
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


def _undo_copy(engine: Engine, folder: Folder, *, as_json: bool) -> None:
    from dupgroups.backfill.undo_copy import undo_copy
    from dupgroups.engines.copies import Copying
    from dupgroups.errors import InputError

    run = folder.run
    if not isinstance(engine, Copying):
        raise InputError(f"the run {run.name} is of another engine, {run.engine}: name that one")
    undone = undo_copy(folder, engine.copy_into(run.into, source=run.index))
    if as_json:
        print_json(undone)
        return
    if undone.alias:
        leads = f"leads to {undone.index} again" if run.moved else "is gone"
        typer.echo(f"the alias {undone.alias} {leads}")
    typer.echo(
        f"{undone.into} is kept, because {undone.kept}" if undone.kept else f"{undone.into} is deleted"
    )
