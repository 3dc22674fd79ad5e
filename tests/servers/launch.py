"""What a server needs to be started: the record that each distribution's module fills in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

HEAP = "512m"


@dataclass(frozen=True, slots=True)
class Launch:
    """A command line, its environment, and the user to run it as (empty: ourselves)."""

    command: tuple[str, ...]
    environment: Mapping[str, str]
    user: str = ""
