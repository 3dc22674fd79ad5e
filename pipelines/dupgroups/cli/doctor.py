"""`dup-groups doctor`: is the engine well, and what to do if not."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated

import typer

from dupgroups.cli.console import app


@app.command("doctor")
def doctor(
    engine: Annotated[
        str | None,
        typer.Option(help="Engine URL; else DUPGROUPS_ENGINE, else sqlite:///dup-groups.db.", metavar="URL"),
    ] = None,
) -> None:
    """Check an engine: server, client, mapping, documents without a group, refresh, blocks.

    Exit status 1 when something is wrong. Example:

        dup-groups doctor --engine opensearch://localhost:9200/news
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from dupgroups.engines import open_engine

    with closing(open_engine(engine)) as opened:
        checks = opened.check()
        table = Table("", "check", "what was found", title=Text(opened.name), box=None, title_justify="left")
    for check in checks:
        mark = Text("ok", "green") if check.ok else Text("WRONG", "bold red")
        table.add_row(mark, Text(check.name), Text(check.detail))
    Console().print(table)
    if not all(check.ok for check in checks):
        raise typer.Exit(1)
