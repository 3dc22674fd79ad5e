"""The command line: `dup-groups COMMAND --help` teaches each command; one file a command."""

from __future__ import annotations

import sys

import typer
from rich.console import Console

from dupgroups.errors import DupGroupsError

app = typer.Typer(
    name="dup-groups",
    help="Group near-duplicate news stories and collapse them in search results.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)


def main() -> None:
    """Run a command; what goes wrong on purpose is one sentence on stderr and exit status 1."""
    try:
        app()
    except DupGroupsError as error:
        Console(stderr=True, highlight=False).print(f"dup-groups: {error}", style="red", markup=False)
        sys.exit(1)
