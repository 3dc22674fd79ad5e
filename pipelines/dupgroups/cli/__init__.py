"""The command line: one file per command. `dup-groups COMMAND --help` explains a command."""

from dupgroups.cli.console import app, main

# isort: split
# importing a module registers its command
from dupgroups.cli import (
    add,
    backfill,
    compare,
    correct,
    corrections,
    delete,
    doctor,
    explain,
    extract,
    group,
    groups,
    methods,
    reindex,
    replay,
    search,
    serve,
    settle,
    stats,
)

__all__ = [
    "add",
    "app",
    "backfill",
    "compare",
    "correct",
    "corrections",
    "delete",
    "doctor",
    "explain",
    "extract",
    "group",
    "groups",
    "main",
    "methods",
    "reindex",
    "replay",
    "search",
    "serve",
    "settle",
    "stats",
]
