"""`dup-groups search` and `dup-groups serve` as a user types them."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from browser.stories import document, stories, widespread
from dupgroups.cli import app
from dupgroups.cli.console import main
from dupgroups.cli.output import plain
from dupgroups.cli.search import _onward
from dupgroups.engines import open_engine
from dupgroups.engines.common import check_query
from dupgroups.errors import InputError
from dupgroups.model import Copy, Hit, Query, Results

# loopback is never asked through a proxy
_http = urllib.request.build_opener(urllib.request.ProxyHandler({})).open


@pytest.fixture
def news(tmp_path: Path) -> str:
    """The URL of an index that holds `stories` and a document that attacks terminals."""
    url = f"sqlite:///{tmp_path / 'news.db'}"
    attack = document(
        "f1", "f1", "Evil\x9b31m", "[red]Bell\x07\x1b]0;owned\x07\u202eback", "The \x1b[2Jbell tolls.", url="http://x.example/\x1b[0m"
    )  # fmt: skip
    with closing(open_engine(url)) as engine:
        engine.put([*stories(), attack])
    return url


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return Run(monkeypatch, capsys)


class Run:
    """Runs a command in this process; gives its exit status and what it printed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys
        monkeypatch.setenv("COLUMNS", "100")

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        self._monkeypatch.setattr(sys, "argv", ["dup-groups", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = self._capsys.readouterr()
        return int(ended.value.code or 0), printed.out, printed.err


def test_a_story_is_one_hit_with_its_other_sites(run: Run, news: str) -> None:
    status, out, _ = run("search", "ferry", "--engine", news)
    assert status == 0
    assert out.startswith("2 stories in 6 documents\n")
    assert "5 copies" in out
    assert re.search(r"also from: ([\w ]+, ){2}[\w ]+ and 1 more\n", out)


def test_also_from_counts_sites_not_copies(run: Run, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'crowd.db'}"
    with closing(open_engine(url)) as engine:
        engine.put(widespread())
    _, out, _ = run("search", "bridge", "--site", "Paper 00", "--engine", url)
    assert "33 copies" in out
    assert "    also from: Kessel Herald and 20 more\n" in out
    _, out, _ = run("search", "bridge", "--mode", "head", "--engine", url)
    assert "    also from 21 other sites\n" in out


def test_any_word_finds_stories_with_one_of_the_words(run: Run, news: str) -> None:
    _, out, _ = run("search", "clock collision unheardof", "--engine", news)
    assert out.splitlines() == [
        "0 stories in 0 documents",
        "No story has all of these words; 2 stories have some of them: --any-word",
    ]
    _, out, _ = run("search", "clock collision unheardof", "--any-word", "--engine", news)
    assert out.startswith("2 stories in ")


def test_the_closest_words_are_named_where_nothing_is_found(run: Run, news: str) -> None:
    _, out, _ = run("search", "colision", "--engine", news)
    assert out.splitlines()[1:] == ["No document has colision. Closest: collision"]


def test_dates_and_order_are_options(run: Run, news: str) -> None:
    _, out, _ = run(
        "search", "", "--engine", news, "--mode", "all", "--since", "2026-03-05", "--sort", "date"
    )
    assert out.startswith("1 document in 1 story")
    status, _, error = run("search", "", "--engine", news, "--until", "soon")
    assert status == 1
    assert "until must be a day such as 2026-03-04" in error
    status, _, error = run("search", '"ferry', "--engine", news)
    assert "a quotation mark is missing" in error


def test_the_words_found_keep_their_blanks(run: Run, news: str) -> None:
    _, out, _ = run("search", "ferry", "--engine", news, "--limit", "1")
    assert "after the ferry Lady Amberly struck" in out


def test_copies_lists_the_others(run: Run, news: str) -> None:
    _, out, _ = run("search", "ferry", "--engine", news, "--copies", "--limit", "1")
    assert out.count("      - ") == 4
    assert "and 1 more" not in out


@pytest.mark.parametrize(
    ("mode", "first"),
    [("collapse", "6 stories in 11 documents"), ("head", "6 stories"), ("all", "11 documents in 6 stories")],
)
def test_each_mode_counts_under_its_own_names(run: Run, news: str, mode: str, first: str) -> None:
    _, out, _ = run("search", "", "--mode", mode, "--engine", news, "--limit", "50")
    assert out.splitlines()[0] == first


def test_filters_narrow(run: Run, news: str) -> None:
    _, out, _ = run("search", "", "--language", "zh", "--site", "东湖晚报", "--engine", news)
    assert out.startswith("1 story in 1 document\n")
    assert "今年春茶拍出纪录价格" in out


def test_an_author_is_named_and_narrows(run: Run, news: str) -> None:
    _, out, _ = run("search", "collision", "--mode", "all", "--author", "Jo Brandt", "--engine", news)
    assert "    Halvern Wire · Jo Brandt, 李明 · 2026-03-04 · en" in out
    assert out.startswith("1 document in 1 story\n")
    _, out, _ = run("search", "", "--author", "Brandt", "--engine", news)
    assert out.startswith("0 stories")


def test_the_next_page_is_named(run: Run, news: str) -> None:
    _, out, _ = run("search", "", "--engine", news, "--limit", "2")
    assert "Next page: --offset 2" in out
    _, out, _ = run("search", "", "--engine", news, "--limit", "2", "--offset", "4")
    assert "Next page" not in out
    _, out, _ = run("search", "", "--engine", news, "--limit", "2", "--mode", "head")
    cursor = re.search(r"Next page: --cursor (\S+)", out)
    assert cursor
    _, rest, _ = run("search", "", "--engine", news, "--mode", "head", "--cursor", cursor[1])
    assert len(re.findall(r"^ +\d+ ", rest, re.M)) == 4


@pytest.mark.parametrize(("limit", "stories"), [(1000, 20_000), (10, 20_000), (7, 20_000), (10, 10_001)])
def test_a_page_that_would_be_refused_is_never_offered(limit: int, stories: int) -> None:
    hits = (Hit("g", Copy("g", "t", None, "s", None, "en"), 1),) * limit
    query = Query(limit=limit)
    while found := re.fullmatch(
        r"Next page: --offset (\d+)", _onward(query, Results(hits, stories, stories))
    ):
        query = Query(limit=limit, offset=int(found[1]))
        check_query(query)
    assert "--mode head" in _onward(query, Results(hits, stories, stories))
    assert query.offset + 2 * limit > 10_000


def test_an_estimate_that_is_too_low_does_not_end_the_pages() -> None:
    hits = (Hit("g", Copy("g", "t", None, "s", None, "en"), 1),) * 10
    assert _onward(Query(), Results(hits, 9, 50, exact=False)) == "Next page: --offset 10"


def test_json_is_one_document_with_everything(run: Run, news: str) -> None:
    _, out, _ = run("search", "ferry", "--engine", news, "--json", "--limit", "1")
    answer = json.loads(out)
    assert (answer["stories"], answer["documents"], answer["exact"]) == (2, 6, True)
    assert (answer["hits"][0]["size"], len(answer["hits"][0]["copies"])) == (5, 3)
    _, out, _ = run("search", "春茶", "--engine", news, "--json")
    assert "东湖晚报" in out


@pytest.mark.parametrize("options", [[], ["--copies"], ["--json"]])
def test_a_terminal_is_not_attacked(run: Run, news: str, options: list[str]) -> None:
    _, out, _ = run("search", "bell", "--engine", news, *options)
    assert "[red]Bell" in out
    assert re.findall("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", out) == []


@given(st.text())
def test_plain_text_is_one_printable_line(text: str) -> None:
    shown = plain(text)
    assert plain(shown) == shown
    assert len(shown.splitlines()) <= 1
    shown.encode()


@given(st.text("abc äöü 漢字 [/]"))
def test_plain_text_keeps_its_words(text: str) -> None:
    assert plain(text) == " ".join(text.split())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["search", "x", "--engine", "nosuch://"], "nosuch"),
        (["search", "x", "--engine", "memory://", "--offset", "10000"], "offset"),
        (["search", "x", "--engine", "memory://", "--mode", "head", "--cursor", "x"], "cursor"),
        (["serve", "--engine", "nosuch://"], "nosuch"),
    ],
)
def test_what_is_wrong_is_one_sentence(run: Run, arguments: list[str], sentence: str) -> None:
    status, out, err = run(*arguments)
    assert status == 1
    assert err.startswith("dup-groups: ")
    assert sentence in err
    assert "Traceback" not in out + err


@pytest.mark.parametrize("command", ["search", "serve"])
def test_help_teaches_with_an_example(run: Run, command: str) -> None:
    status, out, _ = run(command, "--help")
    assert status == 0
    assert f"dup-groups {command}" in out.split("Examples:")[1]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_serve_answers_on_loopback_under_known_names_only(news: str) -> None:
    port = free_port()
    command = [sys.executable, "-m", "dupgroups", "serve", "--engine", news, "--port", str(port)]
    paths = os.pathsep.join(filter(None, sys.path))
    environ = {**os.environ, "PYTHONPATH": paths, "PYTHONUNBUFFERED": "1"}
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ)
    try:
        assert server.stdout is not None
        assert f"http://127.0.0.1:{port}/" in server.stdout.readline()
        url = f"http://127.0.0.1:{port}"
        with _until_it_listens(f"{url}/api/search?q=ferry", server) as answer:
            assert json.load(answer)["stories"] == 2
        with pytest.raises(urllib.error.HTTPError, match="400"):
            _http(urllib.request.Request(url, headers={"Host": "rebound.example"}))
    finally:
        server.terminate()
        server.communicate()


def _until_it_listens(url: str, server: subprocess.Popen[str]) -> Any:
    while server.poll() is None:
        try:
            return _http(url)
        except urllib.error.HTTPError:
            raise
        except urllib.error.URLError:  # refused: it is still starting
            time.sleep(0.05)
    raise AssertionError("the server ended")


def test_a_port_that_is_taken_is_reported_before_the_page_is_announced(news: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = CliRunner().invoke(app, ["serve", "--engine", news, "--port", port])
    assert isinstance(result.exception, InputError)
    assert "Address already in use" in str(result.exception)
    assert "Search page" not in result.output
