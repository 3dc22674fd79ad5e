"""`dup-groups delete`: forget documents, and put the groups that they leave together anew."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from dupgroups.cli.console import app
from dupgroups.cli.engine import EngineOption
from dupgroups.errors import InputError

PAGE = 1000  # documents that a search brings at a time


@app.command("delete")
def delete(
    ids: Annotated[list[str] | None, typer.Argument(help="Ids of documents.", metavar="ID...")] = None,
    engine: EngineOption = None,
    query: Annotated[
        str | None, typer.Option(help="Delete every document that holds these words.", metavar="WORDS")
    ] = None,
    site: Annotated[
        str | None, typer.Option(help="Delete every document of this site.", metavar="SITE")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say how many there are.")] = False,
    config: Annotated[
        Path | None,
        typer.Option(help="TOML file with an engine and methods of your own.", metavar="FILE.toml"),
    ] = None,
) -> None:
    """Delete documents by id, by words or by site.

    A group that loses the document that names it gets the name of its next oldest one, and the old name leads
    there; a group that only a deleted document held together comes apart. Examples:

        dup-groups delete 1f0c54cdd8 9a3be0 --engine sqlite:///news.db

        dup-groups delete --site example.org --engine opensearch://localhost:9200/news --dry-run
    """
    from dupgroups.config import Config, from_toml
    from dupgroups.engines import open_engine
    from dupgroups.flow import Deduper
    from dupgroups.model import Query
    from dupgroups.web.wording import counted

    if bool(ids) == (query is not None or site is not None):
        raise InputError("say what to delete: ids, or --query, or --site")
    settings = from_toml(config) if config else Config()
    with closing(open_engine(engine or settings.engine, must_exist=True)) as opened:
        wanted, cursor = list(ids or []), None
        while not ids:
            page = opened.search(Query(query or "", mode="all", limit=PAGE, site=site, cursor=cursor))
            wanted += [hit.shown.id for hit in page.hits]
            cursor = page.cursor
            if cursor is None:
                break
        stored = list(opened.get(wanted))
        if not dry_run:
            Deduper(opened, settings).delete(stored)
    verb = "to delete" if dry_run else "deleted"
    unknown = len(set(wanted)) - len(stored)
    rest = f"; {counted(unknown, 'id')} not stored" if unknown else ""
    typer.echo(f"{counted(len(stored), 'document')} {verb}{rest}")
