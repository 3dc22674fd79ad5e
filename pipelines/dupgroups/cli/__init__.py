"""The command line: `dup-groups COMMAND --help` teaches each command; one file a command."""

from dupgroups.cli.console import app, main

# isort: split
from dupgroups.cli import backfill, doctor, search, serve  # each registers its command on `app`

__all__ = ["app", "backfill", "doctor", "main", "search", "serve"]
