"""`dup-groups doctor`: check the engine, and say what to do about problems."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.cli.console import app
from dupgroups.cli.engine import ConfigOption, EngineOption, existing

if TYPE_CHECKING:
    from dupgroups.engines import Engine
    from dupgroups.model import Check


@app.command("doctor")
def doctor(
    engine: EngineOption = None,
    deep: Annotated[
        bool, typer.Option("--deep", help="Read every document, and check every rule of the groups.")
    ] = False,
    config: ConfigOption = None,
) -> None:
    """Check an engine: server, client, mapping, documents without a group, signatures, refresh, blocks.

    The exit status is 1 if there is a problem. Example:

        dup-groups doctor --engine opensearch://localhost:9200/news

        dup-groups doctor --engine sqlite:///news.db --deep
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from dupgroups.audit import audit
    from dupgroups.config import from_toml

    with closing(existing(engine, config)) as opened:
        checks = [*opened.check(), _signatures(opened, config)]
        if deep and all(check.ok for check in checks):
            checks += audit(opened, from_toml(config) if config else None)
        table = Table("", "check", "result", title=Text(opened.name), box=None, title_justify="left")
    for check in checks:
        mark = Text("ok", "green") if check.ok else Text("WRONG", "bold red")
        table.add_row(mark, Text(check.name), Text(check.detail))
    Console().print(table)
    if not all(check.ok for check in checks):
        raise typer.Exit(1)


def _signatures(engine: Engine, config: Path | None) -> Check:
    """Check for documents that other methods signed: they are never compared with new documents."""
    from dupgroups.config import from_toml
    from dupgroups.method_set import MethodSet
    from dupgroups.model import Check

    count = engine.outdated(MethodSet(from_toml(config) if config else None).schemes)
    if not count:
        return Check("signatures", True, "every document is signed by the current methods")
    option = "" if config else " (with --config FILE if the crawl configures its methods)"
    return Check(
        "signatures",
        False,
        f"{count} documents are signed by other methods: `dup-groups backfill` signs them again{option}",
    )
