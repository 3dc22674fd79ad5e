"""`dup-groups doctor`: is the engine well, and what to do if not."""

from __future__ import annotations

from contextlib import closing

import typer

from dupgroups.cli.console import app
from dupgroups.cli.engine import ConfigOption, EngineOption, existing


@app.command("doctor")
def doctor(
    engine: EngineOption = None,
    config: ConfigOption = None,
) -> None:
    """Check an engine: server, client, mapping, documents without a group, refresh, blocks.

    Exit status 1 when something is wrong. Example:

        dup-groups doctor --engine opensearch://localhost:9200/news
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    with closing(existing(engine, config)) as opened:
        checks = opened.check()
        table = Table("", "check", "what was found", title=Text(opened.name), box=None, title_justify="left")
    for check in checks:
        mark = Text("ok", "green") if check.ok else Text("WRONG", "bold red")
        table.add_row(mark, Text(check.name), Text(check.detail))
    Console().print(table)
    if not all(check.ok for check in checks):
        raise typer.Exit(1)
