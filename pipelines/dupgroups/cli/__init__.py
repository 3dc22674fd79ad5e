"""The command line: `dup-groups COMMAND --help` teaches each command; one file a command."""

from dupgroups.cli.console import app, main

# isort: split
# each registers its command
from dupgroups.cli import (
    articles,
    backfill,
    calibrate,
    compare,
    doctor,
    evaluate,
    evaluate_cedar,
    evaluate_duplicates,
    evaluate_edits,
    evaluate_keys,
    evaluate_period_string,
    evaluate_weightings,
    extract,
    frequencies,
    group,
    methods,
    replay,
    search,
    serve,
    train,
)

__all__ = [
    "app",
    "articles",
    "backfill",
    "calibrate",
    "compare",
    "doctor",
    "evaluate",
    "evaluate_cedar",
    "evaluate_duplicates",
    "evaluate_edits",
    "evaluate_keys",
    "evaluate_period_string",
    "evaluate_weightings",
    "extract",
    "frequencies",
    "group",
    "main",
    "methods",
    "replay",
    "search",
    "serve",
    "train",
]
