"""Which engine a command works on, and what it does without one."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from commands import cli, error
from dupgroups.engines import open_engine
from dupgroups.flow.method_set import MethodSet
from engines.documents import document

READING = {name: name.split() for name in ("doctor", "backfill", "stats", "settle --all", "delete a")}
READING |= {
    "search": ["search", "water"],
    "groups": ["groups", "--out", "-"],
    "explain": ["explain", "a", "b"],
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, without an engine in the environment."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DUPGROUPS_ENGINE", raising=False)
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path


@pytest.mark.parametrize("command", READING)
@pytest.mark.parametrize("engine", ["", "sqlite:///nwes.db"])
def test_a_command_that_reads_makes_no_file(command: str, engine: str, folder: Path) -> None:
    options = ["--engine", engine] if engine else []
    name = engine.removeprefix("sqlite:///") or "dup-groups.db"
    assert error(*READING[command], *options).startswith(f"there is no file {folder / name}: ")
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("command", ["search", "doctor", "backfill", "serve", "replay"])
def test_the_option_goes_before_the_file_before_the_environment_before_the_default(
    command: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "dead.jsonl").touch()
    arguments = {**READING, "serve": ["serve"], "replay": ["replay", "dead.jsonl"]}[command]

    def used(*options: str) -> str:
        return error(*arguments, "--config", "mine.toml", *options)

    config = folder / "mine.toml"
    config.write_text("join = ['duplicate']")
    # no engine of these is known: each error names the one that was asked for
    if command not in ("replay", "serve"):  # they do not need the default file
        assert "dup-groups.db" in used()
    monkeypatch.setenv("DUPGROUPS_ENGINE", "environ://")
    assert "'environ'" in used()
    config.write_text("engine = 'fromfile://'")
    assert "'fromfile'" in used()
    assert "'option'" in used("--engine", "option://")


def test_doctor_tells_what_other_methods_signed_with_the_engine_of_the_file(folder: Path) -> None:
    methods = "methods = { '*' = { signer = 'simhash' } }"
    (folder / "mine.toml").write_text(f"{methods}\nengine = 'sqlite:///news.db'")
    with closing(open_engine("sqlite:///news.db")) as engine:
        engine.put([document(id_, scheme=MethodSet().signer("en").scheme) for id_ in "ab"])
    out = " ".join(cli("doctor", "--config", "mine.toml", status=1).stdout.split())
    assert "2 documents are signed by other methods: `dup-groups backfill` signs them again" in out
    out = cli("doctor", "--engine", "sqlite:///news.db").stdout
    assert "every document is signed by the current methods" in out
    assert "backfill" not in out
