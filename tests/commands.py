"""Run a command of `dup-groups` as the shell does."""

from __future__ import annotations

import sys

import pytest

from dupgroups.cli.console import main


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """The exit status of a command."""
    monkeypatch.setattr(sys, "argv", ["dup-groups", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)
