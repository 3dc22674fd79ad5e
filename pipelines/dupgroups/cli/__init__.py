"""The command line: `dup-groups COMMAND --help` teaches each command; one file a command."""

from dupgroups.cli.console import app, main

# isort: split
# each registers its command
from dupgroups.cli import (
    backfill,
    compare,
    delete,
    doctor,
    extract,
    group,
    methods,
    replay,
    search,
    serve,
    settle,
)

__all__ = [
    "app",
    "backfill",
    "compare",
    "delete",
    "doctor",
    "extract",
    "group",
    "main",
    "methods",
    "replay",
    "search",
    "serve",
    "settle",
]
