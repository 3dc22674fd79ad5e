"""What the tests need beside Python, found or fetched before the first of them: `make tools`.

It comes from apt, where this user may install (as root, or by sudo without a question); else playwright
brings a chromium of its own.
"""

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")


def find_chromium() -> str | None:
    """The chromium that DUPGROUPS_CHROMIUM names, or one on PATH; None is the one of playwright."""
    return os.environ.get("DUPGROUPS_CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUM)), None)


def has_chromium() -> bool:
    """Whether there is one, perhaps one that playwright has fetched."""
    if find_chromium():
        return True
    from playwright.sync_api import sync_playwright

    try:
        with sync_playwright() as playwright:
            return Path(playwright.chromium.executable_path).exists()
    except Exception:  # its driver lacks libraries of the system, which come with the package
        return False


def has_atomics() -> bool:
    """Whether the library is here that playwright's driver is linked with, and chromium is not."""
    try:
        ctypes.CDLL("libatomic.so.1")
    except OSError:
        return sys.platform != "linux"
    return True


TOOLS: dict[str, Callable[[], bool]] = {
    "python3-venv": lambda: find_spec("ensurepip") is not None,
    "libatomic1": has_atomics,  # first: without it nobody knows where playwright's chromium is
    "chromium": has_chromium,
    "curl": lambda: shutil.which("curl") is not None,  # the tutorial and the how-tos call it
    "maven": lambda: shutil.which("mvn") is not None,
}
"""Whether something is here, by the package of Debian that brings it."""


def missing_tools(wanted: Sequence[str]) -> list[str]:
    """Those of these packages that are not here."""
    return [package for package in wanted if not TOOLS[package]()]


def installers(missing: list[str]) -> list[list[str]]:
    """The commands that bring what is missing, one after another; [] where nothing can.

    >>> installers([])
    []
    """
    commands: list[list[str]] = []
    apt = shutil.which("apt-get")
    may = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if missing and apt and (not may or _succeeds(["sudo", "-n", "true"])):
        options = ["-y", "-q", "--no-install-recommends"]
        install = ["env", "DEBIAN_FRONTEND=noninteractive", apt, "install", *options]
        commands += [[*may, apt, "update", "-q"], [*may, *install, *missing]]
    elif "chromium" in missing:
        commands.append([sys.executable, "-m", "playwright", "install", "chromium"])
    return commands


def main(wanted: Sequence[str]) -> int:
    """Exit status: 0, or 1 after a sentence about what is still missing."""
    missing = missing_tools(wanted)
    for command in installers(missing):
        print(" ".join(command), flush=True)
        subprocess.run(command, check=False)
    if still := missing_tools(missing):
        print(
            f"{' and '.join(still)} cannot be installed here by this user: ask for `apt-get install "
            f"{' '.join(still)}`. `make test-quick` needs neither browser nor server.",
            file=sys.stderr,
        )
    return bool(still)


def _succeeds(command: list[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or [name for name in TOOLS if name != "python3-venv"]))
