"""`dup-groups delete`: forget documents, and put the groups that they leave together anew."""

from __future__ import annotations

import sys
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Annotated

import typer

from dupgroups.cli import options
from dupgroups.cli.built_in import commands
from dupgroups.cli.engine import existing_deduper, settings_of
from dupgroups.cli.files import report_write_errors
from dupgroups.cli.options import option
from dupgroups.cli.output import print_json
from dupgroups.cli.progress import bar
from dupgroups.cli.search import DOCUMENT_HELP, document_id
from dupgroups.engines import Engine
from dupgroups.errors import ConfigError, InputError
from dupgroups.model import Query
from dupgroups.text.batches import batches
from dupgroups.text.counted import count_noun

PAGE_DOCUMENTS = 1000  # documents that a search brings at a time
BATCH_DOCUMENTS = 200  # documents that are deleted together


@commands.command("delete")
def delete(
    ids: Annotated[
        list[str] | None, typer.Argument(help=f"Documents: {DOCUMENT_HELP}.", metavar="ID...")
    ] = None,
    engine: options.Engine = None,
    query: Annotated[str | None, option("Delete every document that holds these words.", "WORDS")] = None,
    site: options.Site = None,
    before: Annotated[
        str | None, option("Delete every document with a date before this day.", "YYYY-MM-DD")
    ] = None,
    forget: Annotated[
        bool,
        option(
            "Add the ids to the file `forgotten` of --config: they are never stored again.", name="--forget"
        ),
    ] = False,
    dry_run: options.DryRun = False,
    yes: options.Yes = False,
    config: options.ConfigFile = None,
    as_json: options.Json = False,
) -> None:
    """Delete documents by name, by words, by site or by date.

    With --query, --site or --before it says how many match, and asks; --yes answers where nobody can.
    Documents without a date stay. If the document that names a group is deleted, the next oldest one names
    it, and the old name leads there; a group that only a deleted document held together splits. Examples:

        dup-groups delete 1f0c54cdd8 9a3be0 --engine sqlite:///news.db

        dup-groups delete --site example.org --engine URL --dry-run

        dup-groups delete --before 2024-01-01 --yes --engine URL
    """
    if bool(ids) == bool(query or site or before) or (query is not None and not query.strip()):
        raise InputError("say what to delete: ids, or --query with words, --site or --before")
    forgotten = settings_of(config).forgotten
    if forget and forgotten is None:
        raise ConfigError('--forget needs a list for crawls to read: forgotten = "forgotten.txt" in --config')
    with existing_deduper(engine, config) as (opened, deduper):
        if ids:
            wanted = [document_id(opened, name) for name in ids]
        else:
            asked = Query(query or "", "all", PAGE_DOCUMENTS, site=site, until=_day_before(before))
            wanted = _matching(opened, asked)
        stored = list(opened.get(wanted))
        if not (dry_run or ids or not stored):
            _ask(len(stored), opened.name, yes=yes)
        if not dry_run:
            if forget and forgotten:  # first: a page that a crawl brings meanwhile must not stay
                with (
                    report_write_errors(Path(forgotten)),
                    Path(forgotten).open("a", encoding="utf-8") as lines,
                ):
                    lines.writelines(f"{id_}\n" for id_ in wanted)
            with bar("deleting", len(wanted)) as advance:
                for batch in batches(wanted, BATCH_DOCUMENTS):  # also what is left of those that are gone
                    deduper.delete(batch)
                    advance(len(batch))
    unknown = len(set(wanted)) - len(stored)
    if as_json:
        print_json({"documents": len(stored), "unknown": unknown, "deleted": not dry_run})
        return
    verb = "to delete" if dry_run else "deleted"
    rest = f"; {count_noun(unknown, 'id')} not stored" if unknown else ""
    typer.echo(f"{count_noun(len(stored), 'document')} {verb}{rest}")


def _matching(engine: Engine, query: Query) -> list[str]:
    ids: list[str] = []
    while True:
        page = engine.search(query)
        ids += [hit.shown.id for hit in page.hits]
        if page.cursor is None:
            return ids
        query = replace(query, cursor=page.cursor)


def _day_before(day: str | None) -> str | None:
    try:
        return day and str(date.fromisoformat(day) - timedelta(days=1))
    except (ValueError, OverflowError):
        raise InputError(f"--before takes a day such as 2024-01-01, not {day!r}") from None


def _ask(documents: int, name: str, *, yes: bool) -> None:
    """Raises InputError unless the answer is yes."""
    sentence = f"{count_noun(documents, 'document')} would be deleted from {name}"
    if yes or (sys.stdin.isatty() and typer.confirm(f"{sentence}: delete?", err=True)):
        return
    raise InputError(f"{sentence}; nothing was deleted: add --yes to delete")
