"""The command line: `dup-groups COMMAND --help` teaches each command; one file a command."""

from dupgroups.cli.console import app, main

# isort: split
from dupgroups.cli import backfill, compare, doctor, group, search, serve  # each registers its command

__all__ = ["app", "backfill", "compare", "doctor", "group", "main", "search", "serve"]
