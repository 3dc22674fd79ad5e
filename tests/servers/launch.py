"""What a server needs to be started: the record that each distribution's module fills in."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

HEAP = "512m"
JAVA_OPTIONS = "DUPGROUPS_SERVER_JAVA_OPTIONS"  # a variable; empty where a server is measured
_QUICK = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"


def java_options() -> list[str]:
    """What Java gets beside the heap. Servers of tests live briefly with tiny indices: the quick compiler and
    the simple collector halve their processor time.
    """
    return os.environ.get(JAVA_OPTIONS, _QUICK).split()


@dataclass(frozen=True, slots=True)
class Launch:
    """A command line, its environment, and the user to run it as (empty: ourselves)."""

    command: tuple[str, ...]
    environment: Mapping[str, str]
    user: str = ""
