"""The command line: `dup-groups COMMAND --help` teaches each command; one file a command."""

from dupgroups.cli.console import app, main

# isort: split
# each registers its command
from dupgroups.cli import backfill, compare, doctor, group, replay, search, serve

__all__ = ["app", "backfill", "compare", "doctor", "group", "main", "replay", "search", "serve"]
