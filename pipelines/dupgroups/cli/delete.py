"""`dup-groups delete`: forget documents, and put the groups that they leave together anew."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from dupgroups.cli.console import app
from dupgroups.cli.engine import existing_deduper
from dupgroups.cli.options import ConfigOption, DryRunOption, EngineOption, JsonOption, SiteOption
from dupgroups.cli.output import print_json
from dupgroups.cli.search import NAMED, document_id
from dupgroups.engines import Engine
from dupgroups.errors import InputError
from dupgroups.flow.batches import batches
from dupgroups.model import Query
from dupgroups.text.counted import counted

PAGE = 1000  # documents that a search brings at a time
BATCH = 200  # documents that are deleted together


@app.command("delete")
def delete(
    ids: Annotated[list[str] | None, typer.Argument(help=f"Documents: {NAMED}.", metavar="ID...")] = None,
    engine: EngineOption = None,
    query: Annotated[
        str | None, typer.Option(help="Delete every document that holds these words.", metavar="WORDS")
    ] = None,
    site: SiteOption = None,
    dry_run: DryRunOption = False,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Delete documents by name, by words or by site.

    A group that loses the document that names it gets the name of its next oldest one, and the old name leads
    there; a group that only a deleted document held together comes apart. Examples:

        dup-groups delete 1f0c54cdd8 9a3be0 --engine sqlite:///news.db

        dup-groups delete --site example.org --engine URL --dry-run
    """
    if bool(ids) == bool(query or site) or (query is not None and not query.strip()):
        raise InputError("say what to delete: ids, or --query with words, or --site")
    with existing_deduper(engine, config) as (opened, deduper):
        wanted = (
            [document_id(opened, name) for name in ids]
            if ids
            else _matching(opened, Query(query or "", "all", PAGE, site=site))
        )
        stored = list(opened.get(wanted))
        if not dry_run:
            for batch in batches(stored, BATCH):
                deduper.delete(batch)
    unknown = len(set(wanted)) - len(stored)
    if as_json:
        print_json({"documents": len(stored), "unknown": unknown, "deleted": not dry_run})
        return
    verb = "to delete" if dry_run else "deleted"
    rest = f"; {counted(unknown, 'id')} not stored" if unknown else ""
    typer.echo(f"{counted(len(stored), 'document')} {verb}{rest}")


def _matching(engine: Engine, query: Query) -> list[str]:
    ids: list[str] = []
    while True:
        page = engine.search(query)
        ids += [hit.shown.id for hit in page.hits]
        if page.cursor is None:
            return ids
        query = replace(query, cursor=page.cursor)
