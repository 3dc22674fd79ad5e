"""The root of the command line: its name, its help, and how errors are reported."""

from __future__ import annotations

import os
import sys

import typer
from rich.console import Console

from dupgroups.cli.entry_points import Commands
from dupgroups.errors import DupGroupsError

app = typer.Typer(
    name="dup-groups",
    cls=Commands,
    help="Group near-duplicate news stories and collapse them in search results.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)


@app.callback(invoke_without_command=True)
def root(
    version: bool = typer.Option(False, "--version", help="Print the version and exit.", is_eager=True),
) -> None:
    """Group near-duplicate news stories and collapse them in search results."""
    if version:
        from importlib.metadata import version as installed

        typer.echo(f"dup-groups {installed('dup-groups')}")
        raise typer.Exit


def main() -> None:
    """Run a command. An expected error is printed as one sentence on stderr; the exit status is 1."""
    sys.path.append("")  # the current folder, for "module:Class"; at the end, so that it shadows nothing
    try:
        app()
    except DupGroupsError as error:
        Console(stderr=True, highlight=False, soft_wrap=True).print(
            f"dup-groups: {error}", style="red", markup=False
        )
        sys.exit(1)
    except BrokenPipeError:  # `dup-groups search ... | head` is not an error
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
