"""`dup-groups backfill`: group the documents that an index already holds."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dupgroups.cli import backfill_runs as runs
from dupgroups.cli.console import app
from dupgroups.cli.engine import fields_of
from dupgroups.cli.options import (
    AllOption,
    AuthorFieldIfGiven,
    BatchOption,
    ConfigOption,
    DateFieldIfGiven,
    DryRunOption,
    EngineOption,
    HtmlFieldIfGiven,
    ImageFieldIfGiven,
    JsonOption,
    LanguageFieldIfGiven,
    ProcessesOption,
    SiteFieldIfGiven,
    TextFieldIfGiven,
    TitleFieldIfGiven,
    UrlFieldIfGiven,
    check_alone,
)
from dupgroups.cli.output import plain, print_json, stdout
from dupgroups.cli.progress import bar

if TYPE_CHECKING:
    from rich.console import Console

    from dupgroups.backfill import Report

LONGEST = 100  # characters of a title that are printed


@app.command("backfill")
def backfill(
    engine: EngineOption = None,
    text_field: TextFieldIfGiven = None,
    html_field: HtmlFieldIfGiven = None,
    title_field: TitleFieldIfGiven = None,
    url_field: UrlFieldIfGiven = None,
    date_field: DateFieldIfGiven = None,
    language_field: LanguageFieldIfGiven = None,
    site_field: SiteFieldIfGiven = None,
    author_field: AuthorFieldIfGiven = None,
    image_field: ImageFieldIfGiven = None,
    change_fields: Annotated[
        bool, typer.Option("--change-fields", help="Keep these names instead of those given before.")
    ] = False,
    everything: AllOption = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="At the end, check every document against `group`.")
    ] = False,
    undo: Annotated[
        str | None, typer.Option("--undo", help="Take back what a run wrote.", metavar="RUN")
    ] = None,
    list_runs: Annotated[
        bool, typer.Option("--runs", help="List the runs whose work folders are kept.")
    ] = False,
    rate: Annotated[
        float | None,
        typer.Option("--rate", min=0.1, help="Documents a second at most.", metavar="NUMBER"),
    ] = None,
    into: Annotated[
        str | None,
        typer.Option("--into", help="Copy into this new index instead of changing it.", metavar="NEW"),
    ] = None,
    alias: Annotated[
        str | None,
        typer.Option("--alias", help="With --into, the alias that leads to NEW at the end.", metavar="NAME"),
    ] = None,
    shards: Annotated[
        int | None,
        typer.Option(
            "--shards", min=1, max=1024, help="With --into, primary shards of NEW.", metavar="NUMBER"
        ),
    ] = None,
    processes: ProcessesOption = None,
    work: Annotated[
        Path, typer.Option("--work", help="Folder for the work folders of runs.", metavar="FOLDER")
    ] = runs.WORK,
    batch: BatchOption = 500,
    dry_run: DryRunOption = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Add `dup_group` to every document of an index, whichever tool wrote it. Other fields do not change.

    The names of fields are for an index of other tools: text, title, url, date, language, site, author and
    image unless given. They are kept with the index, so every later command knows them. The oldest document
    gives a group its id. A second run skips documents that are already signed. If the methods or `group_by`
    in the configuration have changed, it signs all of them again.

    An index of other tools, of which much is not grouped yet, is signed by all cores, grouped without
    look-ups, and written in bulk; with --all any such index is. Such a run has a work folder: when it is
    interrupted or killed, the same command goes on where it stopped, and --undo takes it back while the
    folder is there.

    With --into the index stays as it is, mapping and documents: NEW gets its mapping and settings, the dup_
    fields, and each document with its group in one write. What is written or deleted meanwhile follows. Then
    every document is checked, and the alias that --engine names, or --alias, leads to NEW in one step; for an
    index without one the command that does it is printed. --undo lets the alias lead back, and deletes NEW
    unless it has been written since.

    The exit status is 1 if documents were rejected, or the check at the end finds something wrong. Examples:

        dup-groups backfill --engine sqlite:///news.db

        dup-groups backfill --engine URL --text-field body --dry-run

        dup-groups backfill --engine URL --text-field body --rate 500 --verify

        dup-groups backfill --engine URL --into articles-2 --shards 6

        dup-groups backfill --engine URL --undo news-20260304-050607
    """
    from dupgroups.backfill import Backfill
    from dupgroups.backfill.bulk import bulk_backfill
    from dupgroups.backfill.into import into_backfill
    from dupgroups.config import Config, from_toml
    from dupgroups.engines import open_engine
    from dupgroups.errors import InputError

    given = {
        "text": text_field,
        "html": html_field,
        "title": title_field,
        "url": url_field,
        "date": date_field,
        "language": language_field,
        "site": site_field,
        "author": author_field,
        "image": image_field,
    }
    thorough = {"--all": everything, "--verify": verify}
    check_alone("--undo", undo, {**thorough, "--dry-run": dry_run, "--into": bool(into)})
    check_alone("--dry-run", dry_run, thorough)
    check_alone("--into", into, thorough)
    if (alias or shards) and not into:
        raise InputError("--alias and --shards are for a copy: name the new index with --into")
    if list_runs:
        runs.show(work, as_json=as_json)
        return
    settings = from_toml(config) if config else Config()
    with closing(open_engine(engine or settings.engine, must_exist=True)) as opened:
        if undo:
            runs.undo(opened, settings, work, undo, rate, processes, as_json=as_json)
            return
        fields = fields_of(opened, given)
        options: dict[str, Any] = {
            "change_fields": change_fields,
            "above": work,
            "batch": batch,
            "rate": rate,
            "processes": processes,
        }
        copying = (
            into_backfill(opened, into, fields, settings, alias=alias, shards=shards, **options)
            if into
            else None
        )
        if copying and not dry_run:
            runs.copy(copying, settings, processes, as_json=as_json)
            return
        bulk = None if dry_run else bulk_backfill(opened, fields, settings, everything=everything, **options)
        if bulk:
            report = runs.carry_out(bulk)
        else:
            run = Backfill(
                opened,
                fields,
                settings,
                batch=batch,
                dry_run=dry_run,
                change_fields=change_fields,
                rate=rate,
                foreign=copying.source if copying else None,
            )
            with bar("grouping", run.total) as advance:
                report = run.run(advance)
        checks = runs.verified(opened, settings, processes) if verify and not dry_run else None
    if as_json:
        print_json(report if checks is None else {"report": report, "checks": checks})
    else:
        _print(stdout(), report, dry_run)
        if copying:
            stdout().print(copying.plan(), soft_wrap=True)
        runs.print_checks(checks or [])
    if report.failures or not all(check.ok for check in checks or []):
        raise typer.Exit(1)


def _print(console: Console, report: Report, dry_run: bool) -> None:
    from dupgroups.web.wording import counted

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
    runs.print_failures(report)


def _print_groups(console: Console, report: Report) -> None:
    from dupgroups.web.wording import counted

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
