"""The root of the command line: its name, its help, and how errors are reported."""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from io import TextIOWrapper
from typing import Annotated, cast

import typer
from rich.console import Console

from dupgroups.cli.entry_points import HELP, Commands
from dupgroups.cli.output import stderr, verbosity
from dupgroups.errors import DupGroupsError

INTERRUPTED_STATUS = 130  # what typer ends with after Ctrl+C
MAX_END_SECONDS = 8.0  # seconds for an end in order after a signal: less than services are given

app = typer.Typer(
    name="dup-groups",
    cls=Commands,
    context_settings=HELP,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)
_VERSION = typer.Option("--version", "-V", help="Print the version and exit.", is_eager=True)


@app.callback(invoke_without_command=True)
def root(version: Annotated[bool, _VERSION] = False) -> None:
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

    With -v its traceback comes before the sentence. Standard output takes any text, as files do. SIGTERM ends
    a command as Ctrl+C does, with the exit status that shells give either, in MAX_END_SECONDS at most.
    """
    stopped_by: list[int] = [signal.SIGINT]

    def stop(number: int, frame: object) -> None:
        signal.signal(number, signal.SIG_DFL)  # a second one ends it at once
        last = threading.Timer(MAX_END_SECONDS, os._exit, [128 + number])
        last.daemon = True
        last.start()
        stopped_by.append(number)
        raise KeyboardInterrupt

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    _open_closed_streams()
    cast(TextIOWrapper, sys.stdout).reconfigure(errors="backslashreplace")
    sys.path.append("")  # the current folder, for "module:Class"; at the end, so that it shadows nothing
    try:
        app()
    except (SystemExit, KeyboardInterrupt) as ended:  # the latter before typer listens
        if getattr(ended, "code", INTERRUPTED_STATUS) != INTERRUPTED_STATUS:
            raise
        stderr().print("dup-groups: interrupted")
        sys.exit(128 + stopped_by[-1])
    except BrokenPipeError:  # `dup-groups search ... | head` is not an error
        _discard_output()
        sys.exit(1)
    except (DupGroupsError, OSError) as error:  # the disk may be full to which the output goes
        if verbosity.verbose:
            traceback.print_exc()
        console = Console(stderr=True, highlight=False, soft_wrap=True)
        console.print(f"dup-groups: {error}", style="red", markup=False)
        try:
            sys.stdout.flush()
        except OSError:
            _discard_output()
        sys.exit(1)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _open_closed_streams() -> None:
    """Standard input and output where a shell closed them: `dup-groups ... <&- >&-`."""
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: SIM115, PTH123
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115, PTH123


def _discard_output() -> None:
    """Write what is left for standard output nowhere: Python tries it again at its end, and complains."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
