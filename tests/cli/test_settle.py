"""`dup-groups settle` and `dup-groups doctor --deep`."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from commands import run
from dupgroups import Deduper, Page, open_engine
from stories import story


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A file of two twins that were written apart."""
    url = f"sqlite:///{tmp_path / 'news.db'}"
    with closing(open_engine(url)) as engine:
        Deduper(engine).add_all(Page(id=id_, text=story("one")) for id_ in "abc")
        [document] = engine.read(["b"]).values()
        engine.put([replace(document, record=replace(document.record, group="b"))])
    return url


def test_settling_everything_mends_what_deep_finds(
    url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    assert run(monkeypatch, "doctor", "--engine", url) == 0
    assert run(monkeypatch, "doctor", "--deep", "--engine", url) == 1
    assert (
        "1 document in another group than grouping all of them at once gives (b)" in capsys.readouterr().out
    )
    assert run(monkeypatch, "settle", "--all", "--engine", url) == 0
    assert capsys.readouterr().out == (
        "3 documents looked at again: 1 group merged, 0 documents moved to another group\n"
    )
    assert run(monkeypatch, "doctor", "--deep", "--engine", url) == 0


@pytest.mark.parametrize("command", ["settle", "settle --all", "delete a"])
def test_a_mistyped_engine_makes_no_file(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, *command.split(), "--engine", f"sqlite:///{tmp_path / 'nwes.db'}") == 1
    assert "there is no file" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
