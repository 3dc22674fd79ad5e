"""The commands of this package: each module is imported when one of its commands is run, or all are listed.

Importing and building all of them takes longer than most commands need.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import typer
from typer.main import get_command_from_info

commands = typer.Typer()
"""Where the modules register their commands."""

_MODULES = {"frames": "list_frames", "stories": "list_stories"} | dict.fromkeys(
    ("keep-apart", "keep-together", "head", "undo", "corrections"), "corrections"
)
BUILT_IN = {
    *("add", "alert", "delete", "doctor", "explain", "extract", "find", "group", "groups", "methods"),
    *("replay", "search", "serve", "regroup", "stats", *_MODULES),
}
FORMER_NAMES = {"settle": "regroup"}
"""Names that commands had, and still answer to."""


def load_built_in(name: str) -> Any:
    """The command with one of the names of BUILT_IN."""
    import_module(f"dupgroups.cli.{_MODULES.get(name, name)}")
    (info,) = (info for info in commands.registered_commands if info.name == name)
    return get_command_from_info(info, pretty_exceptions_short=True, rich_markup_mode="markdown")
