"""The command line: one file per command. `dup-groups COMMAND --help` explains a command."""

import sys


def main() -> None:
    """Run a command (see `console.main`). Ctrl+C ends it quietly also while Python loads it."""
    try:
        from dupgroups.cli.console import main as run
    except KeyboardInterrupt:
        sys.stderr.write("dup-groups: interrupted\n")
        sys.exit(130)
    run()
