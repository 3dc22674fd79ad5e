"""The command line: one file per command. `dup-groups COMMAND --help` explains a command."""

from dupgroups.cli.console import app, main

__all__ = ["app", "main"]
