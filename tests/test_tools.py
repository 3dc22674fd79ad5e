"""What a fresh machine lacks is fetched before the first test, or named in a sentence at once."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import tools
from processes import environment


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine on whose PATH nothing is but what is put into this folder; chromium cannot be fetched."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    monkeypatch.delenv("DUPGROUPS_CHROMIUM", raising=False)
    return tmp_path


def put(folder: Path, *names: str, script: str = "exit 0") -> None:
    for name in names:
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)


@pytest.mark.parametrize(
    ("there", "root", "programs"),
    [
        (["apt-get"], True, ["apt-get", "env"]),
        (["apt-get", "sudo"], False, ["sudo", "sudo"]),
        (["apt-get"], False, ["python"]),
        ([], True, ["python"]),
    ],
)
def test_apt_is_used_by_who_may_and_playwright_by_all_others(
    bare: Path, monkeypatch: pytest.MonkeyPatch, there: Sequence[str], root: bool, programs: Sequence[str]
) -> None:
    put(bare, *there)
    monkeypatch.setattr(os, "geteuid", lambda: 0 if root else 1000)
    commands = tools.installers(tools.missing_tools(["chromium", "maven"]))
    assert [Path(command[0]).name.rstrip("0123456789.") for command in commands] == programs
    if "apt-get" in there and programs != ["python"]:
        assert commands[1][-2:] == ["chromium", "maven"]


def test_what_is_there_is_not_fetched_and_what_cannot_be_is_a_sentence(bare: Path) -> None:
    put(bare, "chromium", "mvn")
    assert tools.main(["chromium", "maven", "python3-venv"]) == 0
    (bare / "mvn").unlink()
    ended = subprocess.run(
        [sys.executable, "-m", "tools", "maven", "chromium"],
        env=environment(PATH=str(bare)),
        capture_output=True,
        text=True,
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith(
        "maven cannot be installed here by this user, or is too old: ask for `apt-get install maven`."
    )
    assert len(ended.stderr.splitlines()) == 1
