"""The command line: one file per command. `dup-groups COMMAND --help` explains a command."""

from dupgroups.cli.console import app, main

# isort: split
# importing a module registers its command
from dupgroups.cli import (
    backfill,
    compare,
    correct,
    corrections,
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
    "correct",
    "corrections",
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
