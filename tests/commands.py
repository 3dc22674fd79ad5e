"""Run a command of `dup-groups` as the shell does."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from dupgroups.cli.console import main


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """The exit status of a command."""
    monkeypatch.setattr(sys, "argv", ["dup-groups", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def shell(folder: Path, command: str, stdin: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    """Run the command as a process of its own; its output goes into pipes."""
    words = [sys.executable, "-m", "dupgroups", *shlex.split(command)]
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    return subprocess.run(words, cwd=folder, input=stdin, capture_output=True, env=environment, check=False)
