"""Run a command of `dup-groups`: in this process, as its function, or as the shell does."""

import os
import shlex
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import IO

import pytest
from typer.testing import CliRunner, Result

from dupgroups import Deduper, Page
from dupgroups.cli.console import app, main
from dupgroups.errors import DupGroupsError


def cli(*words: object, stdin: bytes | None = None, status: int = 0) -> Result:
    """Run a command in this process; its errors are raised, and another exit status fails the test."""
    result = CliRunner().invoke(app, list(map(str, words)), input=stdin)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == status, result.output
    return result


def error(*words: object, stdin: bytes | None = None) -> str:
    """The sentence with which a command fails."""
    with pytest.raises(DupGroupsError) as caught:
        cli(*words, stdin=stdin)
    return str(caught.value)


def news(folder: Path, pages: Iterable[Page]) -> str:
    """The URL of a file with these pages, grouped."""
    url = f"sqlite:///{folder / 'news.db'}"
    with Deduper(url) as deduper:
        deduper.add_all(pages)
    return url


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """The exit status of a command, errors and warnings included as a user sees them."""
    monkeypatch.setattr(sys, "argv", ["dup-groups", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def shell(
    folder: Path, command: str, stdout: IO[bytes] | int = subprocess.PIPE
) -> subprocess.CompletedProcess[bytes]:
    """Run the command as a process of its own; its output goes into pipes."""
    words = [sys.executable, "-m", "dupgroups", *shlex.split(command)]
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    return subprocess.run(
        words, cwd=folder, stdout=stdout, stderr=subprocess.PIPE, env=environment, check=False
    )
