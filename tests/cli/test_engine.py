"""Which engine a command works on, and what it does without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands import error

READING = ["doctor", "backfill", "stats", "settle --all", "delete a", "search x", "groups", "explain a b"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, without an engine in the environment."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DUPGROUPS_ENGINE", raising=False)
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path


@pytest.mark.parametrize("command", READING)
def test_a_command_that_reads_makes_no_file(command: str, folder: Path) -> None:
    words = command.split()
    assert error(*words).startswith(f"there is no file {folder / 'dup-groups.db'}: ")
    wrong = error(*words, "--engine", "sqlite:///nwes.db")
    assert wrong.startswith(f"there is no file {folder / 'nwes.db'}: ")
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("command", ["search x", "serve"])
def test_the_option_goes_before_the_environment(
    command: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DUPGROUPS_ENGINE", "environ://")
    assert "'environ'" in error(*command.split())
    assert "'option'" in error(*command.split(), "--engine", "option://")
