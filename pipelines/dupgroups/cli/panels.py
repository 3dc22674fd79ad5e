"""The panels of `dup-groups --help`, and the commands in each of them, in the order of use."""

from __future__ import annotations

PANELS = {
    "Start": ("demo",),
    "Without an index": ("extract", "compare", "group", "methods"),
    "With an index": (
        *("doctor", "stats", "add", "search", "explain", "serve", "groups"),
        *("backfill", "reindex", "filter", "follow", "settle", "replay", "delete", "vacuum"),
    ),
    "Correct the groups": ("keep-apart", "keep-together", "head", "corrections", "undo"),
    "Measure and tune": ("label", "evaluate", "calibrate", "frequencies", "train"),
}
OTHERS = "Of other packages"

_PANEL = {command: panel for panel, commands in PANELS.items() for command in commands}
_PLACE = {command: place for place, command in enumerate(_PANEL)}


def panel(command: str) -> str:
    """The panel of a command.

    >>> panel("search"), panel("stranger")
    ('With an index', 'Of other packages')
    """
    return _PANEL.get(command, OTHERS)


def place(command: str) -> tuple[int, str]:
    """Sort key of a command: those without a panel come last, by name."""
    return _PLACE.get(command, len(_PLACE)), command
