"""The command line: `dup-groups COMMAND --help` teaches each command; one file a command."""

from dupgroups.cli.console import app, main

# isort: split
# each registers its command
from dupgroups.cli import (
    backfill,
    calibrate,
    compare,
    doctor,
    evaluate,
    evaluate_duplicates,
    group,
    replay,
    search,
    serve,
    train,
)

__all__ = [
    "app",
    "backfill",
    "calibrate",
    "compare",
    "doctor",
    "evaluate",
    "evaluate_duplicates",
    "group",
    "main",
    "replay",
    "search",
    "serve",
    "train",
]
