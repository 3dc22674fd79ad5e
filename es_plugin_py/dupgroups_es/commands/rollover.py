"""`dup-groups rollover`: the alias of an index gets another one, and the groups go on over both."""

import json
import re
from contextlib import closing
from typing import Annotated

import typer

from dupgroups.cli import options
from dupgroups.cli.engine import existing
from dupgroups.errors import ConfigError, InputError

app = typer.Typer(rich_markup_mode="markdown", add_completion=False)


@app.command("rollover")
def rollover(
    engine: options.Engine = None,
    max_docs: Annotated[
        int | None,
        typer.Option(min=1, help="Only if the newest index has at least this many documents.", metavar="N"),
    ] = None,
    max_age: Annotated[
        str | None,
        typer.Option(help="Only if the newest index is at least this old, such as 30d.", metavar="TIME"),
    ] = None,
    max_size: Annotated[
        str | None,
        typer.Option(help="Only if the newest index is at least this large, such as 50gb.", metavar="SIZE"),
    ] = None,
    template: Annotated[
        bool,
        typer.Option("--template", help="Print an index template for a policy that rolls over by itself."),
    ] = False,
    config: options.ConfigFile = None,
) -> None:
    """Let new documents go into another index behind the alias; searches and groups span all of them.

    Old indices may be made read-only, closed or deleted. One condition that is met is enough; without any the
    alias rolls over at once. Run it from cron, or give --template to the server, whose own policies can roll
    over then (ILM, ISM). Running crawls need not be stopped. Examples:

        dup-groups rollover --engine URL --max-age 30d --max-size 50gb

        dup-groups rollover --engine URL --template
    """
    from dupgroups_es.base import ClusterEngine

    _check_unit("--max-age", max_age, "d h m s ms", "30d")
    _check_unit("--max-size", max_size, "b kb mb gb tb pb", "50gb")
    conditions = {"max_docs": max_docs, "max_age": max_age, "max_size": max_size}
    with closing(existing(engine, config)) as opened:
        if not isinstance(opened, ClusterEngine):
            raise ConfigError(f"{opened.name} is one file, which has no indices to roll over")
        if template:
            typer.echo(json.dumps(opened.index_template(), indent=2))
            return
        made = opened.roll_over({name: value for name, value in conditions.items() if value is not None})
    typer.echo(f"new documents go to {made}" if made else "no condition is met: nothing was changed")


def _check_unit(option: str, given: str | None, units: str, example: str) -> None:
    """Raises InputError for what servers would not read as a number with a unit."""
    if given is not None and not re.fullmatch(f"[0-9]+({units.replace(' ', '|')})", given, re.IGNORECASE):
        raise InputError(f"{option} {given}: give a number with one of the units {units}, such as {example}")
