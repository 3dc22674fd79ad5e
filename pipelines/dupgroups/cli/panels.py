"""The panels of `dup-groups --help`, and the commands in each of them, in the order of use.

The first holds the six that a newcomer needs, the second what keeps an index and its groups right, the third
what explains, measures and tunes.
"""

from __future__ import annotations

PANELS = {
    "Use": ("demo", "group", "add", "backfill", "search", "serve"),
    "Keep right": (
        *("doctor", "follow", "filter", "sign", "settle", "replay", "delete", "reindex"),
        *("keep-apart", "keep-together", "head", "corrections", "undo"),
    ),
    "Know": (
        *("extract", "explain", "groups", "stats", "methods"),
        *("label", "evaluate", "calibrate", "frequencies", "train"),
    ),
}
OTHERS = "Of other packages"

_PANEL = {command: panel for panel, commands in PANELS.items() for command in commands}
_PLACE = {command: place for place, command in enumerate(_PANEL)}


def panel(command: str) -> str:
    """The panel of a command.

    >>> panel("search"), panel("stranger")
    ('Use', 'Of other packages')
    """
    return _PANEL.get(command, OTHERS)


def place(command: str) -> tuple[int, str]:
    """Sort key of a command: those without a panel come last, by name."""
    return _PLACE.get(command, len(_PLACE)), command
