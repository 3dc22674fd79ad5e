"""The root of the command line: its name, its help, and how errors are reported."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from typing import Annotated

import typer
from rich.console import Console

from dupgroups.cli.entry_points import HELP, Commands
from dupgroups.cli.output import verbosity
from dupgroups.errors import DupGroupsError

app = typer.Typer(
    name="dup-groups",
    cls=Commands,
    context_settings=HELP,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)


@app.callback(invoke_without_command=True)
def root(
    version: Annotated[
        bool, typer.Option("--version", "-V", help="Print the version and exit.", is_eager=True)
    ] = False,
) -> None:
    """Group near-duplicate news stories and collapse them in search results.

    `dup-groups COMMAND -h` explains a command.

    Examples:

        dup-groups group news.jsonl.gz --out groups.csv

        dup-groups search "ferry collision" --engine sqlite:///news.db
    """
    if version:
        from dupgroups import __version__

        typer.echo(f"dup-groups {__version__}")
        raise typer.Exit


def main() -> None:
    """Run a command. An expected error is printed as one sentence on stderr; the exit status is 1.

    With -v its traceback comes before the sentence.
    """
    sys.path.append("")  # the current folder, for "module:Class"; at the end, so that it shadows nothing
    try:
        app()
    except DupGroupsError as error:
        if verbosity.verbose:
            traceback.print_exc()
        _fail(str(error))
    except OSError as error:  # of standard output: those of other files are errors of ours
        if error.errno not in (errno.EPIPE, errno.ENOSPC):
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what is not written yet
        if error.errno == errno.EPIPE:  # `dup-groups search ... | head` is not an error
            sys.exit(1)
        _fail(f"the output cannot be written: {error.strerror}")


def _fail(sentence: str) -> None:
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    console.print(f"dup-groups: {sentence}", style="red", markup=False)
    sys.exit(1)
