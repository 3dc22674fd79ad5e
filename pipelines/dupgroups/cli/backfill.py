"""`dup-groups backfill`: group the documents that an index already holds."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.cli.console import app
from dupgroups.cli.engine import EngineOption
from dupgroups.cli.progress import bar

if TYPE_CHECKING:
    from rich.console import Console

    from dupgroups.backfill import Report

SHOWN = 10  # failed documents that are listed


@app.command("backfill")
def backfill(
    engine: EngineOption = None,
    text_field: Annotated[
        str, typer.Option(help="Field with the text, in an index of other tools.")
    ] = "text",
    html_field: Annotated[str, typer.Option(help="Field with the html; used instead of the text.")] = "",
    title_field: Annotated[str, typer.Option(help="Field with the title.")] = "title",
    url_field: Annotated[str, typer.Option(help="Field with the URL.")] = "url",
    date_field: Annotated[
        str, typer.Option(help="Field with the date; the oldest document gives a group its id.")
    ] = "date",
    language_field: Annotated[str, typer.Option(help="Field with the language.")] = "language",
    batch: Annotated[int, typer.Option(min=1, max=5000, help="Number of documents per batch.")] = 500,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Report the groups without writing anything.")
    ] = False,
    config: Annotated[
        Path | None,
        typer.Option(help="TOML file with your engine and methods.", metavar="FILE.toml"),
    ] = None,
) -> None:
    """Add `dup_group` to every document of an index, whichever tool wrote it. Other fields do not change.

    You can interrupt the command and run it again: it skips documents that are already signed. If the
    methods or `group_by` in the configuration have changed, it signs all of them again. Examples:

        dup-groups backfill --engine elasticsearch://localhost:9200/articles --text-field body --dry-run

        dup-groups backfill --engine sqlite:///news.db
    """
    from rich.console import Console

    from dupgroups.backfill import Backfill
    from dupgroups.config import Config, from_toml
    from dupgroups.engines import open_engine
    from dupgroups.engines.foreign import Fields

    settings = from_toml(config) if config else Config()
    names = (text_field, html_field, title_field, url_field, date_field, language_field)
    text, html, title, url, date, language = (name or None for name in names)
    fields = Fields(text, html, title, url, date, language)
    with closing(open_engine(engine or settings.engine, must_exist=True)) as opened:
        run = Backfill(opened, fields, settings, batch=batch, dry_run=dry_run)
        with bar("grouping", run.total) as advance:
            report = run.run(advance)
    _print(Console(highlight=False, markup=False), report, dry_run)
    if report.failures:
        raise typer.Exit(1)


def _print(console: Console, report: Report, dry_run: bool) -> None:
    from dupgroups.web.wording import counted

    states = ", ".join(f"{count} {state}" for state, count in report.states.most_common())
    console.print(f"{counted(report.documents, 'document')}: {states or 'none'}", soft_wrap=True)
    if dry_run:
        _print_groups(console, report)
    elif report.changed:
        console.print(f"{counted(report.merged, 'group')} merged at the end")
    else:
        console.print("nothing to do: every document already has its signature and its group")
    for id_, reason in list(report.failures.items())[:SHOWN]:
        console.print(f"rejected {id_}: {reason}", style="red", soft_wrap=True)


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
    """The text as one printable line: titles come from untrusted pages."""
    return "".join(character if character.isprintable() else " " for character in text)[:100]
