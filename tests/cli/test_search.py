"""`dup-groups search` as a user types it; tests/cli/test_serve.py has the page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from browser.stories import document, stories, widespread
from commands import cli
from dupgroups.engines import open_engine

Search = Callable[..., str]


@pytest.fixture
def search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Search:
    """Searches an index of `stories`, `widespread` and a document that attacks terminals."""
    monkeypatch.setenv("COLUMNS", "100")
    url = f"sqlite:///{tmp_path / 'news.db'}"
    title, text = "[red]Bell\x07\x1b]0;owned\x07\u202eback", "The \x1b[2Jbell tolls."
    attack = document("f1", "f1", "Evil\x9b31m", title, text, url="http://x.example/\x1b[0m")
    with closing(open_engine(url)) as engine:
        engine.put([*stories(), attack, *widespread()])
    return lambda *words: cli("search", *words, "--engine", url).stdout


def test_a_story_is_one_hit_with_its_other_sites(search: Search) -> None:
    out = search("barge -bridge")
    assert out.startswith("1 story in 5 documents\n")
    assert re.search(r"    also from: ([\w ]+, ){2}[\w ]+ and 1 more\n", out)
    assert "5 copies" in out
    answer = json.loads(search("barge -bridge", "--json"))
    assert (answer["stories"], answer["documents"], answer["hits"][0]["size"]) == (1, 5, 5)
    assert "also from 21 other sites" in search("bridge", "--mode", "head")


def test_the_next_page_is_named(search: Search, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Next page: --offset 2" in search("", "--limit", "2")
    assert "Next page" not in search("", "--limit", "2", "--offset", "6")
    cursor = re.search(r"Next page: --cursor (\S+)", search("", "--limit", "2", "--mode", "head"))
    assert cursor
    rest = search("", "--mode", "head", "--cursor", cursor[1])
    assert len(re.findall(r"^ +\d+ ", rest, re.M)) == 5
    monkeypatch.setattr("dupgroups.engines.paging.WINDOW", 2)
    assert "There are no more pages: narrow the search, or use --mode head" in search("", "--limit", "2")


def test_a_terminal_is_not_attacked(search: Search) -> None:
    for options in ([], ["--copies"], ["--json"]):
        out = search("bell", *options)
        assert "[red]Bell" in out
        assert re.findall("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", out) == []
