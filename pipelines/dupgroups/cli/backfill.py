"""`dup-groups backfill`: group the documents that an index holds already."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.cli.console import app
from dupgroups.cli.engine import EngineOption

if TYPE_CHECKING:
    from rich.console import Console

    from dupgroups.backfill import Report

SHOWN = 10  # failures that are listed


@app.command("backfill")
def backfill(
    engine: EngineOption = None,
    text_field: Annotated[str, typer.Option(help="Field of the text in a foreign index.")] = "text",
    html_field: Annotated[str, typer.Option(help="Field of the html; wins over the text.")] = "",
    title_field: Annotated[str, typer.Option(help="Field of the title.")] = "title",
    url_field: Annotated[str, typer.Option(help="Field of the URL.")] = "url",
    date_field: Annotated[str, typer.Option(help="Field of the date; the oldest names a group.")] = "date",
    language_field: Annotated[str, typer.Option(help="Field of the language.")] = "language",
    batch: Annotated[int, typer.Option(min=1, max=5000, help="Documents written together.")] = 500,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Report the groups, write nothing.")] = False,
    config: Annotated[
        Path | None,
        typer.Option(help="TOML file with an engine and methods of your own.", metavar="FILE.toml"),
    ] = None,
) -> None:
    """Give every document of an index its `dup_group`, whoever wrote it. Every other field stays as it is.

    Safe to run again and to interrupt: what is signed already is passed over. Examples:

        dup-groups backfill --engine elasticsearch://localhost:9200/articles --text-field body --dry-run

        dup-groups backfill --engine sqlite:///news.db
    """
    from rich.console import Console

    from dupgroups.backfill import Backfill
    from dupgroups.config import Config, from_toml
    from dupgroups.engines import open_engine
    from dupgroups.engines.foreign import Fields

    names = (text_field, html_field, title_field, url_field, date_field, language_field)
    fields = Fields(*(each or None for each in names))
    settings = from_toml(config) if config else Config()
    with closing(open_engine(engine or settings.engine, must_exist=True)) as opened:
        run = Backfill(opened, fields, settings, batch=batch, dry_run=dry_run)
        with _bar(run.total) as advance:
            report = run.run(advance)
    _print(Console(highlight=False, markup=False), report, dry_run)
    if report.failures:
        raise typer.Exit(1)


@contextmanager
def _bar(total: int) -> Iterator[Callable[[int], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("grouping"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("grouping", total=total)
        yield lambda documents: progress.advance(task, documents)


def _print(console: Console, report: Report, dry_run: bool) -> None:
    from dupgroups.web.wording import counted

    states = ", ".join(f"{count} {state}" for state, count in report.states.most_common())
    console.print(f"{counted(report.documents, 'document')}: {states or 'none'}", soft_wrap=True)
    if dry_run:
        _print_groups(console, report)
    elif report.changed:
        console.print(f"{counted(report.merged, 'group')} merged at the end")
    else:
        console.print("nothing to do: every document has its signature and its group already")
    for id_, reason in list(report.failures.items())[:SHOWN]:
        console.print(f"refused {id_}: {reason}", style="red", soft_wrap=True)


def _print_groups(console: Console, report: Report) -> None:
    console.print(f"{report.groups} groups, {report.stories} of them with more than one document")
    for group in report.biggest:
        console.print(f"{group.size:>7}  {group.id}  {_line(group.title)}", soft_wrap=True)
    for pair in report.pairs:
        verdict = pair.verdict
        console.print(
            f"{pair.a} {verdict.relation} {pair.b} ({verdict.score:.2f}): {verdict.reason}", soft_wrap=True
        )
    console.print("dry run: nothing was written")


def _line(text: str) -> str:
    """Printable and on one line: titles come from strangers' pages."""
    return "".join(each if each.isprintable() else " " for each in text)[:100]
