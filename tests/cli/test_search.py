"""`dup-groups search` as a user types it; tests/cli/test_serve.py has the page."""

import json
import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from browser.stories import document, stories, widespread
from commands import cli, error, news
from dupgroups import Page
from dupgroups.engines import open_engine
from stories import story

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


@pytest.mark.parametrize("command", ["search quay", "stats", "groups", "doctor", "explain a", "corrections"])
def test_a_configuration_is_checked_although_the_engine_is_named(tmp_path: Path, command: str) -> None:
    url = news(tmp_path, [Page(id="a", text=story("a"))])
    config = tmp_path / "news.toml"
    config.write_text("treshold = 0.5")
    assert "unknown setting 'treshold'" in error(*command.split(), "--engine", url, "--config", config)


def test_a_story_is_one_hit_with_its_other_sites(search: Search) -> None:
    out = search("barge -bridge")
    assert out.startswith("1 story in 5 documents\n")
    assert re.search(r"    also from: ([\w ]+, ){2}[\w ]+ and 1 more\n", out)
    assert "4 other copies" in out
    answer = json.loads(search("barge -bridge", "--json"))
    assert (answer["stories"], answer["documents"], answer["hits"][0]["size"]) == (1, 5, 5)
    assert "also from 21 other sites" in search("bridge", "--mode", "head")


def test_a_search_that_finds_nothing_says_what_may_be_meant(search: Search) -> None:
    some = "No story has all of these words; 1 story has some of them: --any-word"
    assert search("brigde unheardof") == "0 stories in 0 documents\n"
    assert search("brigde") == "0 stories in 0 documents\nDid you mean: bridge\n"
    assert search("closed", "brigde") == f"0 stories in 0 documents\nDid you mean: closed bridge\n{some}\n"


def test_what_was_printed_most_comes_first(search: Search) -> None:
    out = search("", "--sort", "copies", "--until", "2026-03-04", "--limit", "2")
    assert re.findall(r"^ +\d+ (.*)$", out, re.M)[0] == "Bridge closed after storm"
    assert "4 other copies · 4 of 5 copies match\n" in out
    assert "copies match" not in search("", "--limit", "2")


def test_the_next_page_is_named(search: Search, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Next page: --offset 2" in search("", "--limit", "2")
    assert "Next page" not in search("", "--limit", "2", "--offset", "6")
    cursor = re.search(r"Next page: --cursor (\S+)", search("", "--limit", "2", "--mode", "head"))
    assert cursor
    rest = search("", "--mode", "head", "--cursor", cursor[1])
    assert len(re.findall(r"^ +\d+ ", rest, re.M)) == 5
    monkeypatch.setattr("dupgroups.engines.paging.MAX_WINDOW_HITS", 2)
    assert "There are no more pages: narrow the search, or use --mode head" in search("", "--limit", "2")


def test_a_terminal_is_not_attacked(search: Search) -> None:
    for options in ([], ["--copies"], ["--json"]):
        out = search("bell", *options)
        assert "[red]Bell" in out
        assert re.findall("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", out) == []


def test_numbers_of_the_last_search_urls_and_beginnings_of_ids_name_documents(tmp_path: Path) -> None:
    """Wherever a command takes an id."""
    texts = dict.fromkeys(("one", "two"), " ".join(f"word{number}" for number in range(80)))
    urls = {name: f"http://{name}.example/a.html" for name in texts}
    url = news(tmp_path, [Page(url=urls[name], text=text, title=name) for name, text in texts.items()])
    with closing(open_engine(url)) as engine:
        ids = {document.content.title: document.record.id for document in engine.scan()}

    def run(*words: str) -> str:
        return cli(*words, "--engine", url).stdout

    assert ids["one"] in run("explain", urls["one"])
    assert "One story" in run("explain", ids["one"][:6], urls["two"])
    shown = run("search", "word1", "--copies")
    [first], [copy] = re.findall(r"^  1 (\w+)$", shown, re.M), re.findall(r"^ +1\.1 (\w+) ", shown, re.M)
    said = run("keep-apart", "1.1", "1")
    assert said.startswith(f"correction 1: “{copy}” ({copy}.example) and “{first}” ({first}.example) are")
    assert run("delete", f"{urls['two']}?utm_source=x", "1234567") == "1 document deleted; 1 id not stored\n"
    assert "the last search here has no number 2" in error("head", "2", "--engine", url)
    assert f"{urls['one']}" in run("search", "word1")
    assert run("delete", "1") == "1 document deleted\n"


def test_a_beginning_that_several_ids_have_is_refused(tmp_path: Path) -> None:
    url = news(tmp_path, [Page(id=id_, text="A text.") for id_ in ("2", "story-1", "story-2", "story-2-b")])
    refused = error("delete", "story-", "--engine", url)
    assert refused.startswith("several ids begin with 'story-', such as story-1 and story-2: give more of it")
    assert cli("delete", "story-2", "2", "--engine", url).stdout == "2 documents deleted\n", "ids come first"
