"""Which engine a command works on, and what it does without one."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from commands import run
from dupgroups.engines import open_engine
from dupgroups.method_set import MethodSet
from engines.documents import document

READING = {"search": ["search", "water"], "doctor": ["doctor"], "backfill": ["backfill"]}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, without an engine in the environment."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DUPGROUPS_ENGINE", raising=False)
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path


@pytest.mark.parametrize("command", READING)
@pytest.mark.parametrize("engine", ["", "sqlite:///nwes.db"])
def test_a_command_that_reads_makes_no_file(
    command: str,
    engine: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    options = ["--engine", engine] if engine else []
    assert run(monkeypatch, *READING[command], *options) == 1
    name = engine.removeprefix("sqlite:///") or "dup-groups.db"
    assert capsys.readouterr().err.startswith(f"dup-groups: there is no file {folder / name}: ")
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("command", ["search", "doctor", "backfill", "serve", "replay"])
def test_the_option_goes_before_the_file_before_the_environment_before_the_default(
    command: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "dead.jsonl").touch()
    arguments = {**READING, "serve": ["serve"], "replay": ["replay", "dead.jsonl"]}[command]
    arguments = [*arguments, "--config", "mine.toml"]

    def used(*options: str) -> str:
        run(monkeypatch, *arguments, *options)
        return capsys.readouterr().err

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


def test_a_search_reads_the_engine_of_the_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(open_engine("sqlite:///news.db")) as engine:
        engine.put([document("a", title="Flood", text="water")])
    (folder / "mine.toml").write_text("engine = 'sqlite:///news.db'")
    assert run(monkeypatch, "search", "water", "--config", "mine.toml") == 0
    assert "Flood" in capsys.readouterr().out


def test_doctor_reports_what_is_well_without_advice(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(open_engine("sqlite:///news.db")) as engine:
        engine.put([document("a", scheme=MethodSet().signer("en").scheme)])
    assert run(monkeypatch, "doctor", "--engine", "sqlite:///news.db") == 0
    out = capsys.readouterr().out
    assert "every document has a group" in out
    assert "every document is signed by the current methods" in out
    assert "backfill" not in out


def test_doctor_tells_what_other_methods_signed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "mine.toml").write_text(
        "methods = { '*' = { signer = 'simhash' } }\nengine = 'sqlite:///news.db'"
    )
    with closing(open_engine("sqlite:///news.db")) as engine:
        engine.put([document(id_, scheme=MethodSet().signer("en").scheme) for id_ in "ab"])
    assert run(monkeypatch, "doctor", "--config", "mine.toml") == 1
    out = " ".join(capsys.readouterr().out.split())
    assert "2 documents are signed by other methods: `dup-groups backfill` signs them again" in out
    assert run(monkeypatch, "doctor", "--engine", "sqlite:///news.db") == 0
