"""The command line: one file per command. `dup-groups COMMAND --help` explains a command."""

from importlib import import_module

from dupgroups.cli.console import app, main

_COMMANDS = (
    *("add", "alert", "corrections", "delete", "doctor", "explain", "extract", "find"),
    *("group", "groups", "methods", "replay", "search", "serve", "settle", "stats", "list_stories"),
)
for _command in _COMMANDS:  # importing a module registers its command
    import_module(f"dupgroups.cli.{_command}")

__all__ = ["app", "main"]
