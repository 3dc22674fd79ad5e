"""`dup-groups backfill`: group the documents that an index already holds."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.cli.console import app
from dupgroups.cli.engine import fields_of
from dupgroups.cli.options import (
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
    SiteFieldIfGiven,
    TextFieldIfGiven,
    TitleFieldIfGiven,
    UrlFieldIfGiven,
)
from dupgroups.cli.output import plain, print_json, stdout
from dupgroups.cli.progress import bar

if TYPE_CHECKING:
    from rich.console import Console

    from dupgroups.backfill import Report

SHOWN = 10  # failed documents that are listed
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
    batch: BatchOption = 500,
    dry_run: DryRunOption = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Add `dup_group` to every document of an index, whichever tool wrote it. Other fields do not change.

    The names of fields are for an index of other tools: text, title, url, date, language, site, author and
    image unless given. They are kept with the index, so every later command knows them. The oldest document
    gives a group its id. You can interrupt the command and run it again: it skips documents that are already
    signed. If the methods or `group_by` in the configuration have changed, it signs all of them again.

    Examples:

        dup-groups backfill --engine sqlite:///news.db

        dup-groups backfill --engine URL --text-field body --dry-run
    """
    from dupgroups.backfill import Backfill
    from dupgroups.config import Config, from_toml
    from dupgroups.engines import open_engine

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
    settings = from_toml(config) if config else Config()
    with closing(open_engine(engine or settings.engine, must_exist=True)) as opened:
        fields = fields_of(opened, given)
        run = Backfill(opened, fields, settings, batch=batch, dry_run=dry_run, change_fields=change_fields)
        with bar("grouping", run.total) as advance:
            report = run.run(advance)
    if as_json:
        print_json(report)
    else:
        _print(stdout(), report, dry_run)
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
