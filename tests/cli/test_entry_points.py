"""Commands that other packages bring: found by their entry points, loaded when needed."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from dupgroups.cli import app
from dupgroups.cli.entry_points import GROUP

LAB = {"calibrate", "evaluate", "frequencies", "label", "train"}
OWN = {"backfill", "compare", "doctor", "extract", "group", "methods", "replay", "search", "serve"}
MODULES = {
    "stranger_greeting": """
import typer

app = typer.Typer()

@app.command()
def greet(name: str) -> None:
    "Greet somebody."
    typer.echo(f"Good morning, {name}")
""",
    "stranger_loud": """
import typer

app = typer.Typer()

@app.command()
def greet(volume: int = typer.Option(1, "-v", "--volume")) -> None:
    "Greet somebody, loudly."
    typer.echo("Good morning" + "!" * volume)
""",
    "stranger_broken": "import a_module_that_nobody_has",
    "stranger_talkative": "raise RuntimeError('one\\ntwo')",
    "stranger_number": "app = 7",
}


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Install a distribution with these entry points, as `pip install` leaves it in a folder on the path."""

    def installed(*points: str) -> None:
        for name, source in MODULES.items():
            (tmp_path / f"{name}.py").write_text(source)
        info = tmp_path / "stranger-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("\n".join([f"[{GROUP}]", *points, ""]))
        monkeypatch.syspath_prepend(str(tmp_path))
        importlib.invalidate_caches()

    yield installed
    for name in MODULES:
        sys.modules.pop(name, None)


class Result(NamedTuple):
    status: int
    out: str
    err: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run a command as a user types it."""
    monkeypatch.setenv("COLUMNS", "200")

    def ran(*words: str) -> Result:
        with pytest.raises(SystemExit) as ended:
            app(words)
        return Result(int(ended.value.code or 0), *capsys.readouterr())

    return ran


def test_a_strangers_command_is_listed_and_gets_the_common_options_and_keeps_its_own(install, run) -> None:
    install("greet = stranger_greeting:app", "shout = stranger_loud:app")
    listed = run("-h").out
    assert set(listed.split()) >= LAB | OWN
    assert "Of other packages" in listed
    assert "Greet somebody." in listed
    assert "--verbose" in run("greet", "-h").out
    assert "completion" not in run("greet", "--help").out
    assert run("greet", "Ada", "-q").out == "Good morning, Ada\n"
    assert run("shout", "-v", "3", "-q").out == "Good morning!!!\n"


@pytest.mark.parametrize(
    ("module", "what"),
    [
        ("stranger_broken", "ModuleNotFoundError: No module named 'a_module_that_nobody_has'"),
        ("stranger_talkative", "(RuntimeError: one two)"),
        ("stranger_number", "TypeError: stranger_number:app is not a typer.Typer"),
        ("stranger_missing", "ModuleNotFoundError: "),
    ],
)
def test_a_broken_one_costs_one_warning_and_its_command_only(install, module: str, what: str, run) -> None:
    install(f"broken = {module}:app", "greet = stranger_greeting:app")
    helped = run("--help")
    assert helped.status == 0
    assert helped.err.startswith("dup-groups: the command 'broken' of stranger cannot be loaded")
    assert what in helped.err
    assert len(helped.err.splitlines()) == 1
    assert set(helped.out.split()) >= LAB | OWN | {"greet"}
    assert "broken" not in helped.out
    called = run("broken")
    assert called.status == 2
    assert "No such command 'broken'" in called.err
    assert run("greet", "Ada").err == run("methods").err == "", "other commands do not notice it"


def test_a_built_in_command_wins_over_an_entry_point_of_its_name(install, run) -> None:
    install("methods = stranger_greeting:app")
    assert "minhash" in run("methods").out


def test_without_entry_points_the_commands_of_use_are_there(monkeypatch: pytest.MonkeyPatch, run) -> None:
    monkeypatch.setattr("dupgroups.cli.entry_points.GROUP", "nobody.has.this")
    helped = run("--help")
    assert (helped.status, helped.err) == (0, "")
    assert set(helped.out.split()) >= OWN
    assert not set(helped.out.split()) & LAB


def test_a_command_of_use_loads_no_other_package() -> None:
    code = (
        "import sys; from dupgroups.cli import app; app(['methods'], standalone_mode=False); "
        "sys.exit(any(name.startswith('dupgroups_lab') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True).returncode == 0
