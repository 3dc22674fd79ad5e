"""`dup-groups extract`: what it prints of a page."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cli.files import html
from commands import cli
from dupgroups import Page
from dupgroups.flow.method_set import MethodSet
from dupgroups.model.config import Config
from stories import story

URL = "https://news.example/2026/quay"


@pytest.fixture
def page(tmp_path: Path) -> str:
    """The place of a page with a menu, a headline and a story."""
    file = tmp_path / "page.html"
    head = b"<body><ul><li><a href=/>Front page</a></li></ul><article><h1>The quay</h1>"
    file.write_bytes(html(story("a"), "The quay").replace(b"<body><article>", head))
    return str(file)


def run(*words: object) -> str:
    return cli("extract", *words).stdout


def test_it_prints_what_is_known_and_the_text(page: str) -> None:
    output, _, text = run(page, "--url", URL).partition("\n\n")
    assert output.splitlines()[0] == "title: The quay"
    assert f"url: {URL}" in output
    assert "author:" not in output
    assert text == story("a") + "\n"
    found = json.loads(run(page, "--json"))
    assert found["text"] == story("a")
    assert found["sources"][0]["found"] == "the h1 that the title of the page repeats"


def test_only_dates_that_are_sure_enough_are_taken(tmp_path: Path) -> None:
    page = html(story("a"), "The quay").replace(b"<p>", b"<p>4 March 2026</p><p>", 1)
    (tmp_path / "page.html").write_bytes(page)
    _, _, date, *_ = json.loads(run(tmp_path / "page.html", "--json"))["sources"]
    for probability, day in ((date["probability"], "2026-03-04"), (1, None)):
        methods = MethodSet(Config(date_probability=max(0.5, probability)))
        assert methods.extract(Page(html=page)).date == day


@pytest.mark.parametrize("empty", ["", "<p>"])
def test_it_says_that_a_page_has_no_article(empty: str, tmp_path: Path) -> None:
    (tmp_path / "empty.html").write_text(empty)
    assert run(tmp_path / "empty.html") == "(no article found)\n"


def test_a_class_in_a_file_of_the_current_folder_is_found(page: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("class First:\n    def __call__(self, blocks):\n        return [0]\n")
    command = Path(sys.executable).with_name("dup-groups")  # Python itself would look into the folder
    done = subprocess.run(
        [command, "extract", page, "--extractor", "mine:First"], cwd=tmp_path, capture_output=True
    )
    assert done.stdout.endswith(b"\nFront page\n")


def test_a_page_cannot_steer_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(f"<title>A\x1b]0;B\x07</title><article><p>{story('a')} \x1b[2J \u202e</p></article>")
    output = run(str(file), "--extractor", "visible")
    assert "A ]0;B" in output
    assert "[2J" in output
    assert not {"\x1b", "\x07", "\u202e"} & set(output)


def test_explain_says_what_is_kept(page: str) -> None:
    lines = run(page, "--url", URL, "--explain").splitlines()
    assert lines[0] == "title: The quay <- the h1 that the title of the page repeats"
    assert "author: (none)" in lines
    assert any(re.match(r" +0\.\d\d .*li +Front page", line) for line in lines)
