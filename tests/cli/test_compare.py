"""`dup-groups compare`: what it tells of two pages, and what it says when it cannot have one."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from typer.testing import CliRunner

from dupgroups.cli import app
from dupgroups.errors import InputError
from stories import story


def compare(one: str, two: str) -> list[str]:
    """The lines that are printed."""
    done = CliRunner().invoke(app, ["compare", one, two], catch_exceptions=False)
    assert done.exit_code == 0
    return done.output.splitlines()


def files(folder: Path, *texts: str) -> list[str]:
    """The places of files with these texts."""
    paths = [folder / f"{number}.txt" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return [str(path) for path in paths]


def test_it_tells_relation_reason_and_differences(tmp_path: Path) -> None:
    html = "<html><body><p>" + story("a").replace("\n", "</p><p>") + "</p></body></html>"
    lines = compare(*files(tmp_path, html, story("a") + "\nOnly here it is said."))
    assert lines[0].startswith("duplicate (")
    assert lines[2:] == ["+ Only here it is said."]


def test_a_warning_says_that_live_learning_is_ignored(tmp_path: Path) -> None:
    one, two = files(tmp_path, story("a"), story("a"))
    settings = tmp_path / "live.toml"
    settings.write_text(f'hosts = {{ templates = "{(tmp_path / "hosts.npz").as_posix()}", live = true }}')
    done = CliRunner().invoke(app, ["compare", one, two, "--config", str(settings)], catch_exceptions=False)
    assert "hosts.live is ignored" in done.stderr
    assert done.stdout.startswith("duplicate (1.00)")


def test_changed_sentences_stand_together_and_moved_ones_are_not_a_difference(tmp_path: Path) -> None:
    paragraphs = story("a").split("\n")
    changed = [paragraphs[0], "It was said here.", *paragraphs[2:5], *paragraphs[:4:-1]]
    lines = compare(*files(tmp_path, "\n".join(paragraphs), "\n".join(changed)))
    assert lines[2:] == [f"- {paragraphs[1]}", "+ It was said here."]


def test_texts_of_many_unlike_sentences_are_compared(tmp_path: Path) -> None:
    one, two = ("".join(f"{name} {number} was said.\n" for number in range(30_000)) for name in "ab")
    lines = compare(*files(tmp_path, one, two))
    assert lines[2:4] == ["- a 0 was said.", "+ b 0 was said."]
    assert lines[-1] == "  and 59,980 more sentences"


def test_a_sentence_without_an_end_is_shown_in_part(tmp_path: Path) -> None:
    lines = compare(*files(tmp_path, story("a"), "word " * 100_000))
    assert max(map(len, lines)) < 2000


class Broken(BaseHTTPRequestHandler):
    """Promises a longer chunk than it sends."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(b"ff\r\n<p>Cut")
        self.close_connection = True

    def log_message(self, *args: object) -> None:
        """Tells nobody."""


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The URL of a page that ends in the middle."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with ThreadingHTTPServer(("127.0.0.1", 0), Broken) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


@pytest.mark.parametrize("url", ["http://a b/", "http://[bad/", "http://a:port/", "https://"])
def test_an_invalid_url_is_an_error_in_one_sentence(url: str) -> None:
    with pytest.raises(InputError, match="cannot be fetched"):
        compare(url, url)


def test_a_response_that_is_cut_off_is_an_error_in_one_sentence(broken: str) -> None:
    with pytest.raises(InputError, match="cannot be fetched: IncompleteRead"):
        compare(broken, broken)


def test_a_file_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        compare(str(tmp_path / "no"), str(tmp_path / "no"))
