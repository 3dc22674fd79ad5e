"""Commands that other packages bring: found by their entry points, loaded when needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from commands import run as typed
from distributions import Install, installing
from dupgroups.cli.entry_points import GROUP

OWN = {"calibrate", "train", "backfill", "extract", "group", "methods", "serve"}
MODULES = {
    "stranger_greeting": """
import typer

app = typer.Typer()

@app.command()
def greet(name: str) -> None:
    "Greet somebody."
    typer.echo(f"Good morning, {name}")
""",
    "stranger_broken": "import a_module_that_nobody_has",
}


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    with installing(tmp_path, monkeypatch, GROUP, MODULES) as install:
        yield install


class Result(NamedTuple):
    status: int
    out: str
    err: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run a command as a user types it."""
    monkeypatch.setenv("COLUMNS", "200")
    return lambda *words: Result(typed(monkeypatch, *words), *capsys.readouterr())


def test_a_strangers_command_is_listed_and_gets_the_common_options(install, run) -> None:
    install("stranger", "greet = stranger_greeting:app")
    listed = run("-h").out
    assert set(listed.split()) >= OWN
    assert "Of other packages" in listed
    assert "Greet somebody." in listed
    assert "--verbose" in run("greet", "-h").out
    assert "completion" not in run("greet", "--help").out
    assert run("greet", "Ada", "-q").out == "Good morning, Ada\n"


def test_a_broken_one_costs_one_warning_and_its_command_only(install, run) -> None:
    install("stranger", "broken = stranger_broken:app", "greet = stranger_greeting:app")
    helped = run("--help")
    assert helped.status == 0
    assert helped.err.startswith("dup-groups: the command 'broken' of stranger cannot be loaded")
    assert "ModuleNotFoundError: No module named 'a_module_that_nobody_has'" in helped.err
    assert len(helped.err.splitlines()) == 1
    assert set(helped.out.split()) >= OWN | {"greet"}
    assert "broken" not in helped.out
    assert run("broken").status == 2
    assert run("greet", "Ada").err == run("methods").err == "", "other commands do not notice it"
