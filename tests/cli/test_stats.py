"""`dup-groups stats`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import run
from dupgroups import Deduper, Page
from stories import story


@pytest.fixture
def url(tmp_path: Path) -> str:
    """Three copies of a story, and others alone, on 25 sites."""
    url = f"sqlite:///{tmp_path / 'news.db'}"
    with Deduper(url) as deduper:
        deduper.add_all(Page(url=f"https://a.example/{number}", text=story("one")) for number in range(3))
        deduper.add_all(Page(url=f"https://b{n}.example/1", text=story(f"other {n}")) for n in range(24))
    return url


def test_the_figures_are_printed(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    dead = tmp_path / "dead.jsonl"
    dead.write_text("{}\n{}\n")
    assert run(monkeypatch, "stats", "--engine", url, "--dead-letters", str(dead)) == 0
    shown = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    for line in (
        *("documents 27", "groups 25", "alone in their group 24", "first of several 1", "copies 2"),
        *("redirects 0", "sites 25", "unsettled operations 0", "dead letters 2"),
        *("size groups", "1 24", "3-5 1", "site documents", "a.example 3", "and 5 other sites"),
    ):
        assert line in shown, line
    assert any(line.startswith("last seen 20") for line in shown)


def test_as_json(url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, "stats", "--engine", url, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["sizes"] == {"1": 24, "3": 1}
    assert found["states"] == {"alone": 24, "first": 1, "copy": 2}
    assert (found["documents"], found["groups"], found["sites"], found["dead_letters"]) == (27, 25, 25, 0)
    assert (found["engine"], found["unsettled"], found["redirects"]) == (url, 0, 0)


def test_a_mistyped_engine_makes_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "stats", "--engine", f"sqlite:///{tmp_path / 'nwes.db'}") == 1
    assert "there is no file" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
