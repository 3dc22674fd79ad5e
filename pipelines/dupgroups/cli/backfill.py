"""`dup-groups backfill`: group the documents that an index already holds."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dupgroups.cli.console import app
from dupgroups.cli.engine import fields_of, remove_side_indices, settings_of
from dupgroups.cli.options import (
    BatchOption,
    ConfigOption,
    DryRunOption,
    EngineOption,
    FieldsOption,
    JsonOption,
    ProcessesOption,
    YesOption,
    check_alone,
)
from dupgroups.cli.output import plain, print_checks, print_json, print_rejected, stderr, stdout
from dupgroups.cli.progress import bar, step_bars
from dupgroups.engines import Engine, open_engine
from dupgroups.engines.parts import Adopting
from dupgroups.errors import InputError
from dupgroups.model import Check
from dupgroups.model.config import Config
from dupgroups.text.counted import counted

if TYPE_CHECKING:
    from rich.console import Console

    from dupgroups.bulk.backfill import Report
    from dupgroups.bulk.backfill.bulk_loader import BulkLoader
    from dupgroups.bulk.backfill.runs import Limits

LONGEST = 100  # characters of a title that are printed


@app.command("backfill")
def backfill(
    engine: EngineOption = None,
    fields: FieldsOption = None,
    change_fields: Annotated[
        bool, typer.Option("--change-fields", help="Keep these names instead of those given before.")
    ] = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="At the end, check every rule of the groups.")
    ] = False,
    undo: Annotated[
        str | None, typer.Option("--undo", help="Take back what a run wrote.", metavar="RUN")
    ] = None,
    yes: YesOption = False,
    rate: Annotated[
        float | None,
        typer.Option("--rate", min=0.1, help="Documents a second at most.", metavar="NUMBER"),
    ] = None,
    processes: ProcessesOption = None,
    work: Annotated[
        Path, typer.Option("--work", help="Folder for the work folders of runs.", metavar="FOLDER")
    ] = Path("dupgroups-backfill"),
    batch: BatchOption = 500,
    dry_run: DryRunOption = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Add `dup_group` to every document of an index, whichever tool wrote it. Other fields do not change.

    --fields is for an index of other tools. The names are kept with the index, so every later command knows
    them. The oldest document
    gives a group its id. A second run skips documents that are already signed. If the methods or `group_by`
    in the configuration have changed, it signs all of them again.

    An index of other tools is signed by all cores, grouped without look-ups, and written in bulk. Such a run
    has a work folder: when it is interrupted or killed, the same command goes on where it stopped, and --undo
    takes it back while the folder is there, and asks whether to delete what is kept beside the index too.

    The exit status is 1 if documents were rejected, or the check at the end finds something wrong. Examples:

        dup-groups backfill --engine sqlite:///news.db

        dup-groups backfill --engine URL --fields text=body --dry-run

        dup-groups backfill --engine URL --fields text=body --rate 500 --verify

        dup-groups backfill --engine URL --undo news-20260304-050607
    """
    from dupgroups.bulk.audit import audit
    from dupgroups.bulk.backfill import Backfill
    from dupgroups.bulk.backfill.bulk_loader import bulk_backfill
    from dupgroups.bulk.backfill.runs import Limits

    check_alone("--undo", undo, {"--verify": verify, "--dry-run": dry_run})
    check_alone("--dry-run", dry_run, {"--verify": verify})
    settings, limits = settings_of(config), Limits(batch, rate, processes)
    with closing(open_engine(engine or settings.engine, must_exist=True)) as opened:
        if undo:
            _undo(opened, settings, work, undo, limits, yes=yes, as_json=as_json)
            return
        names = fields_of(opened, fields)
        options: dict[str, Any] = {"change_fields": change_fields}
        checks: list[Check] | None = None
        bulk = None
        if not dry_run:
            bulk = bulk_backfill(opened, names, settings, above=work, limits=limits, **options)
        if bulk:
            report, checks = _carry_out(bulk, verify=verify)
            _warn_of_moved(opened)
        else:
            run = Backfill(opened, names, settings, dry_run=dry_run, batch=batch, rate=rate, **options)
            with bar("grouping", run.total) as advance:
                report = run.run(advance)
            _warn_of_encoding(run.encodes)
            checks = audit(opened, settings) if verify else None
    if as_json:
        print_json(report if checks is None else {"report": report, "checks": checks})
    else:
        _print(stdout(), report, dry_run)
        if checks:
            print_checks(checks)
    if report.failures or not all(check.ok for check in checks or []):
        raise typer.Exit(1)


def _carry_out(run: BulkLoader, *, verify: bool) -> tuple[Report, list[Check] | None]:
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


def _warn_of_encoding(why: str) -> None:
    """Say that more than the `dup_` fields changes in documents, if there is a reason why."""
    if why:
        stderr().print(
            f"the server writes numbers and the order of fields of each document anew: {why}", soft_wrap=True
        )


def _warn_of_moved(engine: Engine) -> None:
    """Say which other indices cannot be grouped, because grouped documents were moved there."""
    if isinstance(engine, Adopting) and (sentence := engine.moved()):
        stderr().print(sentence, soft_wrap=True)


def _undo(
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
    from dupgroups.bulk.backfill.undo import undo

    folder = folder_of(work, name)
    if not (isinstance(engine, Adopting) and engine.is_foreign()):
        raise InputError(f"{engine.name} is not an index of other tools: no run over it can be taken back")
    index = engine.adopt()
    with step_bars("undoing") as show:
        undone = undo(folder, index, config, limits, progress=show)
    if as_json:
        print_json(undone)
    else:
        typer.echo(f"{counted(undone.restored, 'document')} as before {name}")
        _warn_of_encoding(index.encodes)
        if undone.changed:
            left = counted(len(undone.changed), "document")
            typer.echo(f"{left} left alone, because others have changed them since")
    if engine.kept_fields() is None:
        remove_side_indices(engine, yes=yes)


def _print(console: Console, report: Report, dry_run: bool) -> None:
    states = ", ".join(f"{count} {state}" for state, count in report.states.most_common())
    console.print(f"{counted(report.documents, 'document')}: {states or 'none'}", soft_wrap=True)
    if dry_run:
        _print_groups(console, report)
    elif report.run:
        console.print(f"run {report.run}: `dup-groups backfill --undo {report.run}` takes it back")
    elif report.changed:
        console.print(f"{counted(report.merged, 'group')} merged at the end")
    else:
        console.print("nothing to do: every document already has its signature and its group")
    print_rejected(report.failures)


def _print_groups(console: Console, report: Report) -> None:
    console.print(
        f"{counted(report.groups, 'group')}, {report.stories:,} of them with more than one document"
    )
    for group in report.biggest:
        console.print(f"{group.size:>7}  {group.id}  {plain(group.title)[:LONGEST]}", soft_wrap=True)
    for pair in report.pairs:
        verdict = pair.verdict
        console.print(
            f"{pair.a} {verdict.relation} {pair.b} ({verdict.score:.2f}): {verdict.reason}", soft_wrap=True
        )
    console.print("dry run: nothing was written")
