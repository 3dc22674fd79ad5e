"""What every command has in common, those of the lab too: help that teaches, and one spelling of options."""

import json
import re
import shlex
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from commands import cli, run, shell
from distributions import Install, installing
from dupgroups.cli import built_in
from dupgroups.cli.console import app
from dupgroups.cli.entry_points import GROUP
from dupgroups.content.page_analysis import EXTRACTORS
from dupgroups.methods.signatures import SIGNERS
from dupgroups.methods.verdicts import JUDGES
from processes import environment

NAME = "dup-groups"
NAMES = (("settle", "--help"), ("regroup", "--help"), ("regroup", "-h"))
PIPE = {"COLUMNS": None, "TERMINAL_WIDTH": None}


def _walk(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield path, command
    if hasattr(command, "commands"):
        for name in command.list_commands(None):
            yield from _walk(command.get_command(None, name), (*path, name))


COMMANDS = dict(_walk(get_command(app)))
Typed = Callable[[str], tuple[int, str, str]]
every_command = pytest.mark.parametrize("path", COMMANDS, ids=" ".join)


def help_of(path: tuple[str, ...], name: str = "-h") -> str:
    """The help as it is printed into a pipe."""
    result = CliRunner().invoke(app, [*path, name], env=PIPE)
    assert result.exit_code == 0, result.output
    return result.stdout


@every_command
def test_help_fits_80_columns_and_teaches_by_examples_that_stay_whole(path: tuple[str, ...]) -> None:
    shown = help_of(path)
    assert max(map(len, shown.splitlines())) <= 80
    for long, short in (("--verbose", "-v"), ("--quiet", "-q"), ("--help", "-h")):
        assert re.search(rf"{long} +{short} ", shown)
    assert not re.search(r"<bool>|<list\[", shown, re.IGNORECASE), "types of Python"
    lines = COMMANDS[path].help.splitlines()
    examples = [line.strip() for line in lines if NAME in line and line[:4].isspace()]
    assert all(example in shown for example in examples)
    assert any(" ".join((NAME, *path)) in example for example in examples)
    for example in examples:
        words = shlex.split(example.partition(NAME)[2].replace(" \\", " "))
        meant = max((path for path in COMMANDS if tuple(words[: len(path)]) == path), key=len)
        known = {name for option in COMMANDS[meant].params for name in option.opts}
        assert {word for word in words if word.startswith("--")} <= known


def test_a_module_is_imported_for_its_own_commands_only(tmp_path: Path) -> None:
    program = "import sys; from dupgroups.cli import main; main()"
    listing = "import atexit; atexit.register(lambda: print([*sys.modules]))"
    words = [sys.executable, "-c", f"import sys; {listing}; {program}", "stats", "--help"]
    loaded = subprocess.run(words, check=True, cwd=tmp_path, env=environment(), capture_output=True)
    modules = set(re.findall(r"dupgroups\.cli\.(\w+)", loaded.stdout.decode()))
    assert "stats" in modules
    assert modules.isdisjoint({"add", "group", "find", "search", "serve", "alert", "corrections"})


def test_every_module_that_registers_a_command_is_named() -> None:
    for file in Path(built_in.__file__).parent.glob("*.py"):
        if "@commands.command(" in file.read_text("utf-8"):
            import_module(f"dupgroups.cli.{file.stem}")
    assert sorted(str(one.name) for one in built_in.commands.registered_commands) == sorted(built_in.BUILT_IN)


def test_a_command_answers_to_its_former_name_and_its_help_to_both_options() -> None:
    settle, regroup, short = (help_of((name,), option).splitlines()[2:] for name, option in NAMES)
    assert settle == regroup == short


def test_an_option_has_one_spelling_and_one_help() -> None:
    helps = defaultdict(set)
    for path, command in COMMANDS.items():
        for option in command.params if path != ("evaluate", "extraction") else ():  # --fields of articles
            if name := next((name for name in option.opts if name.startswith("--")), None):
                helps[name].add(option.help)
    assert {name: texts for name, texts in helps.items() if len(texts) > 1} == {}
    assert len(helps) > 40
    assert ("evaluate", "duplicates") in COMMANDS, "the lab has commands too"


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Typed:
    """Types a command in a folder with a file of two lines: its exit status, and what it prints."""
    (tmp_path / "docs.jsonl").write_text('{"text": "One."}\nbroken\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    return lambda command: (run(monkeypatch, *command.split()), *capsys.readouterr())


def test_an_error_has_its_traceback_only_if_asked_for(typed: Typed) -> None:
    sentence = "dup-groups: missing.html cannot be read: No such file or directory\n"
    for quiet in ("", "-q "):
        assert typed(f"{quiet}extract missing.html") == (1, "", sentence)
    for command in ("-v extract missing.html", "extract -v missing.html"):
        _, _, loud = typed(command)
        assert loud.startswith("Traceback")
        assert loud.endswith(sentence)


def test_an_option_of_another_value_says_which_there_are(typed: Typed) -> None:
    status, _, sentence = typed("search fog --sort size")
    assert status == 2
    assert "for '--sort': 'size' is not one of 'relevance', 'date', 'copies'." in sentence


def test_a_full_disk_below_standard_output_is_one_sentence(tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        ended = shell(tmp_path, "methods --json", full)
        assert ended.stderr == b"dup-groups: [Errno 28] No space left on device\n"


def test_a_quiet_command_still_prints_results(typed: Typed) -> None:
    _, _, noted = typed("group docs.jsonl --out -")
    assert "docs.jsonl, line 2: not JSON" in noted
    assert "signing" not in noted, "progress is for terminals only"
    assert typed("group docs.jsonl --out - -q") == (0, "id,group\nline 1,line 1\n", "")


def test_the_list_names_every_method_and_one_is_explained_with_its_source() -> None:
    listed = cli("methods").stdout
    assert {name for name in (*EXTRACTORS, *SIGNERS, *JUDGES) if f"  {name}" not in listed} == set()
    assert "SIGIR 2008" in cli("methods", "spotsigs").stdout
    (minhash,) = json.loads(cli("methods", "minhash", "--json").stdout)
    assert (minhash["kind"], minhash["judges"][0]) == ("signer", "evidence")
    assert minhash["parameters"] == {field.name: field.default for field in fields(SIGNERS["minhash"])}


# -- commands that other packages bring: found by their entry points, loaded when needed


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
    "stranger_leaving": "raise SystemExit(7)",
}


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    with installing(tmp_path, monkeypatch, GROUP, MODULES) as install:
        yield install


def test_a_strangers_command_is_listed_and_gets_the_common_options(install: Install, typed: Typed) -> None:
    install("stranger", "greet = stranger_greeting:app")
    _, listed, _ = typed("-h")
    assert set(listed.split()) >= OWN
    assert "Of other packages" in listed
    assert "Greet somebody." in listed
    assert "--verbose" in typed("greet -h")[1]
    assert "completion" not in typed("greet --help")[1]
    assert typed("greet Ada -q") == (0, "Good morning, Ada\n", "")


def test_a_broken_one_costs_one_warning_and_its_command_only(install: Install, typed: Typed) -> None:
    install("stranger", "broken = stranger_broken:app", "greet = stranger_greeting:app")
    status, listed, warning = typed("--help")
    assert status == 0
    assert warning.startswith("dup-groups: the command 'broken' of stranger cannot be loaded")
    assert "ModuleNotFoundError: No module named 'a_module_that_nobody_has'" in warning
    assert len(warning.splitlines()) == 1
    assert set(listed.split()) >= OWN | {"greet"}
    assert "broken" not in listed
    assert typed("broken")[0] == 2
    assert typed("greet Ada")[2] == typed("methods")[2] == "", "other commands do not notice it"


def test_one_that_ends_the_process_ends_no_other_command(install: Install, typed: Typed) -> None:
    install("stranger", "leaving = stranger_leaving:app")
    status, listed, warning = typed("--help")
    assert (status, "leaving" in listed) == (0, False)
    assert warning.startswith("dup-groups: the command 'leaving' of stranger cannot be loaded")
