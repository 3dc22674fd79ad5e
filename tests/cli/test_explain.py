"""`dup-groups explain`: two documents, or a group, of an index or in files."""

import json
import re
from pathlib import Path

import pytest

from cli.files import QUAY, ROUND_UP
from commands import cli, error, news
from dupgroups.model import Page
from stories import reprint, story

COPY = "https://copy.example/1"


@pytest.fixture
def index(tmp_path: Path) -> str:
    """The URL of an index with two copies of a story, and a round-up of it."""
    return news(tmp_path, [QUAY, Page(title="The pier", text=reprint(story("a"), 2), url=COPY), ROUND_UP])


def run(*words: str) -> str:
    return cli("explain", *words).output


def test_two_documents_of_an_index_by_id_and_by_url(index: str) -> None:
    lines = run("a", COPY, "--engine", index).splitlines()
    assert lines[0] == "One story"
    assert re.fullmatch(r"duplicate \([01]\.\d\d\): the second is a cut copy of the first\.", lines[1])
    assert lines[3].startswith("first: The quay · ")
    assert any(re.match(r"words in common, by rarity +\d+\.\d% +\+\d\.\d", line) for line in lines)
    first = story("a").split("\n")[0]
    assert f"  {first}" in lines  # both have it: it is printed once
    assert any(line.startswith("- [-") for line in lines)


def test_one_id_explains_its_group(index: str) -> None:
    shown = run(COPY, "--engine", index)
    assert shown.startswith("group a: 2 copies\nIts id is that of the copy of first.example: it was found")
    assert re.search(r"^1 +- +[01]\.\d\d\*$", shown, re.MULTILINE)
    assert re.search(r"Related, but not joined:\n  contains · 0\.\d\d · all · ", shown)
    made = json.loads(run("a", "--engine", index, "--json"))
    assert [score["tied"] for score in made["scores"]] == [True]
    assert made["related"][0]["id"] == "all"


def test_two_files_need_no_index_and_cannot_steer_the_terminal(tmp_path: Path) -> None:
    evil = "\x1b[31m\u202e[bold]" + story("a")
    files = tmp_path / "a.txt", tmp_path / "b.txt"
    for file, text in zip(files, (evil, evil + "\n\x07Later \x1b[0m."), strict=True):
        file.write_text(text, "utf-8")
    shown = run(*map(str, files), "--engine", f"sqlite:///{tmp_path / 'missing.db'}")
    assert shown.startswith("One story\n")
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", shown)
    assert "[bold]" in shown
    assert not (tmp_path / "missing.db").exists()


def test_what_is_not_there_is_said_in_a_sentence(index: str) -> None:
    assert "nobody is neither a file nor in sqlite:///" in error("explain", "a", "nobody", "--engine", index)
    assert "'nobody' is not in sqlite:///" in error("explain", "nobody", "--engine", index)
    assert "has characters that UTF-8 cannot encode" in error("explain", "\udcff", "--engine", index)


def test_a_misspelt_file_is_named_where_there_is_no_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for words in (["ferry.htm", "fog.htm"], ["ferry.htm"]):
        said = error("explain", *words)
        assert "ferry.htm is no file; as the id of a document: there is no file" in said


@pytest.mark.parametrize("name", ["news.csv", "NEWS.JSONL.gz", "news.json", "news.parquet", "news.warc.gz"])
def test_a_file_of_many_documents_is_not_compared_as_one(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(story("a"))
    page = tmp_path / "page.txt"
    page.write_text(story("a"))
    for command in (["explain", page], ["extract"]):
        assert f"{name} holds many documents, not one page" in error(*command, tmp_path / name)
