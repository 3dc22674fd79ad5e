"""`dup-groups backfill`: group the documents that an index already holds."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.cli import options
from dupgroups.cli.engine import count, fields_of, remove_made, settings_of
from dupgroups.cli.output import print_json, print_rejected, stderr, stdout
from dupgroups.cli.progress import bar, resumable, step_bars
from dupgroups.engines import Engine, open_engine
from dupgroups.errors import InputError
from dupgroups.text.counted import count_noun
from dupgroups.text.terminal import plain

if TYPE_CHECKING:
    from rich.console import Console

    from dupgroups.bulk.resign import Report
    from dupgroups.model.config import Config
    from dupgroups_es.backfill.bulk_loader import BulkLoader
    from dupgroups_es.backfill.runs import Limits

app = typer.Typer(rich_markup_mode="markdown", add_completion=False)

MAX_TITLE_CHARS = 100  # characters of a title that are printed


@app.command("backfill")
def backfill(
    engine: options.Engine = None,
    fields: options.Fields = None,
    change_fields: Annotated[
        bool, typer.Option("--change-fields", help="Replace the field names stored with the index.")
    ] = False,
    everything: options.All = False,
    undo: Annotated[
        bool, typer.Option("--undo", help="Remove the groups from an index of other tools.")
    ] = False,
    yes: options.Yes = False,
    rate: Annotated[
        float | None,
        typer.Option("--rate", min=0.1, help="Maximum number of documents a second.", metavar="NUMBER"),
    ] = None,
    processes: options.Processes = None,
    work: Annotated[
        Path, typer.Option("--work", help="Folder in which each run has its own.", metavar="FOLDER")
    ] = Path("dupgroups-backfill"),
    batch: options.Batch = 500,
    not_article: options.NotArticle = None,
    dry_run: options.DryRun = False,
    config: options.ConfigFile = None,
    as_json: options.Json = False,
) -> None:
    """Add `dup_group` to every document of an index, whichever tool wrote it. Other fields do not change.

    --fields is for an index of other tools. The names are kept with the index, so every later command knows
    them. The oldest document gives a group its id. A second run skips documents that are already signed. If
    the methods or `group_by` in the configuration have changed, it signs all of them again. After an update
    of the stemmer or the Chinese dictionary, --all writes all of them again, so that searches find the new
    forms.

    If a name stands for several indices (an alias, a data stream, or a pattern such as 'news-*'), they are
    grouped as one. HTML pages that are not articles stay alone, and `search` and `serve` do not show them;
    other clients find them as before.

    An index of other tools is signed by all cores, grouped without look-ups, and written in bulk. Such a run
    has a work folder: when it is interrupted or killed, the same command goes on where it stopped. --undo
    takes the `dup_` fields out of all documents, and asks whether to delete what is kept beside the index.

    The exit status is 1 if documents were rejected, or left by --undo. Examples:

        dup-groups backfill --engine sqlite:///news.db

        dup-groups backfill --engine URL --fields text=body --dry-run

        dup-groups backfill --engine URL --fields text=body --rate 500

        dup-groups backfill --engine URL --undo
    """
    from dupgroups.bulk.resign import sign_again, try_out
    from dupgroups_es.backfill.bulk_loader import bulk_backfill
    from dupgroups_es.backfill.runs import Limits

    options.check_alone("--undo", undo, {"--dry-run": dry_run, "--all": everything})
    settings, limits = options.skipping(settings_of(config), not_article), Limits(batch, rate, processes)
    with closing(open_engine(engine or settings.engine, must_exist=True)) as opened:
        if undo:
            _undo(opened, settings, work, limits, yes=yes, as_json=as_json)
            return
        names = fields_of(opened, fields)
        change = {"change_fields": change_fields}
        bulk = bulk_backfill(opened, names, settings, above=work, limits=limits, **change)
        if bulk:
            report = _run_bulk(bulk, dry_run)
        else:
            run = try_out if dry_run else partial(sign_again, batch=batch, everything=everything)
            with bar("grouping", count(opened)) as advance:
                report = run(opened, settings, advance, rate=rate)
    if as_json:
        print_json(report)
    else:
        _print(stdout(), report, dry_run)
    if report.failures:
        raise typer.Exit(1)


def _run_bulk(bulk: BulkLoader, dry_run: bool) -> Report:
    if dry_run:
        with step_bars("signing", "grouping") as show:
            return bulk.try_out(show)
    if bulk.unfinished:
        stderr().print(f"going on with {bulk.unfinished}")
    with resumable(), step_bars("signing", "grouping", "writing", "regrouping") as show:
        return bulk.run(show)


def _undo(engine: Engine, config: Config, work: Path, limits: Limits, *, yes: bool, as_json: bool) -> None:
    """Take the groups out of an index, and say what came of it. What is kept beside it goes, too."""
    from dupgroups_es.backfill.runs import undo
    from dupgroups_es.base import ClusterEngine

    if not (isinstance(engine, ClusterEngine) and engine.is_external()):
        raise InputError(f"{engine.name} is an index of ours: `dup-groups doctor --remove` deletes it")
    if engine.kept_fields() is None:
        raise InputError(f"{engine.name} is not adopted: it has no groups that could be taken out")
    index = engine.adopt(skips_unfit=True)
    with step_bars("undoing") as show:
        undone = undo(index, config, work, limits, progress=show)
    if as_json:
        print_json(undone)
    else:
        typer.echo(f"{count_noun(undone.restored, 'document')} as before")
    if undone.left:
        left = count_noun(undone.left, "document")
        stderr().print(
            f"{left} left alone, as others wrote meanwhile or their index takes no writes: let them pause, "
            "or lift index.blocks.write, and undo again"
        )
        raise typer.Exit(1)
    remove_made(engine, None, yes=yes)


def _print(console: Console, report: Report, dry_run: bool) -> None:
    states = ", ".join(f"{count:,} {state.replace('_', ' ')}" for state, count in report.states.most_common())
    console.print(f"{count_noun(report.documents, 'document')}: {states or 'none'}")
    if dry_run:
        _print_groups(console, report)
    elif report.merged:
        console.print(f"{count_noun(report.merged, 'group')} merged at the end")
    elif not report.changed:
        console.print("nothing to do: every document already has its signature and its group")
    print_rejected(report.failures)


def _print_groups(console: Console, report: Report) -> None:
    console.print(
        f"{count_noun(report.groups, 'group')}, {report.stories:,} of them with more than one document"
    )
    for group in report.biggest:
        console.print(f"{group.size:>7}  {group.id}  {plain(group.title)[:MAX_TITLE_CHARS]}")
    for pair in report.pairs:
        verdict = pair.verdict
        console.print(f"{pair.a} {verdict.relation} {pair.b} ({verdict.score:.2f}): {verdict.reason}")
    console.print("dry run: nothing was written")
