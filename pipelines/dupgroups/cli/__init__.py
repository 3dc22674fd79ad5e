"""The command line: `dup-groups COMMAND --help` teaches each command; one file a command."""

from dupgroups.cli.console import app, main

# isort: split
from dupgroups.cli import search, serve  # each registers its command on `app`

__all__ = ["app", "main", "search", "serve"]
