"""`dup-groups find`: what is near a page, or each of many documents, without storing them."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cli.files import QUAY, ROUND_UP
from commands import cli, error, news
from dupgroups.text.passages import shorten
from stories import reprint, round_up, story

COPY = "https://copy.example/1"


@pytest.fixture
def index(tmp_path: Path) -> str:
    """The URL of an index with a story, and a round-up of it."""
    return news(tmp_path, [QUAY, ROUND_UP])


def test_a_page_is_answered_in_lines_and_as_json(index: str, tmp_path: Path) -> None:
    file = tmp_path / "asked.txt"
    file.write_text(reprint(story("a"), 2), "utf-8")
    heading, *shown = cli("find", file, "--engine", index).stdout.splitlines()
    assert heading.endswith(": 2 documents")
    assert re.fullmatch(
        r"  duplicate · [01]\.\d\d · a · first\.example · The quay · https://first\.example/1", shown[0]
    )
    assert re.match(r"    \d+% of their words are common to both", shown[1])
    assert shown[2].startswith("  contained · all ·")
    assert shown[4] == f'    Both have: "{shorten(" ".join(round_up().split()), 120)}"'
    assert len(shown) == 5, "no passage of a copy"
    made = json.loads(cli("find", file, "--engine", index, "--json").stdout)
    assert [(one["id"], one["relation"]) for one in made["found"]] == [
        ("a", "duplicate"),
        ("all", "contained"),
    ]
    assert made["too_short"] is False


def test_each_document_of_a_file_has_its_line(index: str, tmp_path: Path) -> None:
    asked = {"x": story("a"), "y": story("nobody"), "z": "Hm."}
    lines = "".join(json.dumps({"id": id_, "text": text}) + "\n" for id_, text in asked.items())
    (tmp_path / "asked.jsonl").write_text(lines, "utf-8")
    found = cli("find", tmp_path / "asked.jsonl", "--engine", index, "--json").stdout.splitlines()
    answers = {made["id"]: made for made in map(json.loads, found)}
    assert list(answers) == list(asked)
    assert [len(answers[id_]["found"]) for id_ in asked] == [2, 0, 0]
    assert [answers[id_]["too_short"] for id_ in asked] == [False, False, True]


def test_a_page_comes_from_standard_input(index: str) -> None:
    command = [sys.executable, "-m", "dupgroups", "find", "-", "--engine", index]
    ended = subprocess.run(command, input=story("a").encode(), capture_output=True, check=True)
    assert ended.stdout.splitlines()[0].endswith(b": 2 documents")


def test_a_line_is_answered_before_the_next_one_comes(index: str) -> None:
    command = [sys.executable, "-m", "dupgroups", "find", "-", "--engine", index, "--json"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as asking:
        assert asking.stdin
        assert asking.stdout
        for name, count in (("a", 2), ("b", 1)):
            asking.stdin.write(json.dumps({"id": name, "text": story(name)}) + "\n")
            asking.stdin.flush()
            answer = json.loads(asking.stdout.readline())
            assert (answer["id"], len(answer["found"])) == (name, count)
        for line, broken in enumerate(("{bad", '{"id": "c", "text": ""}'), start=3):
            asking.stdin.write(f"{broken}\n")
            asking.stdin.flush()
            answer = json.loads(asking.stdout.readline())
            assert (answer.keys(), answer["line"]) == ({"line", "error"}, line)
        asking.stdin.close()


def test_nothing_is_stored_and_no_index_is_made(index: str, tmp_path: Path) -> None:
    file = tmp_path / "asked.txt"
    file.write_text("\x1b[31m[bold]" + story("a"), "utf-8")
    store = tmp_path / "news.db"
    before = store.read_bytes()
    shown = cli("find", file, "--engine", index).stdout
    assert store.read_bytes() == before
    assert not re.search("[\x00-\x09\x0b-\x1f]", shown), "no text steers the terminal"
    assert "there is no file" in error("find", file, "--engine", f"sqlite:///{tmp_path / 'missing.db'}")
    assert not (tmp_path / "missing.db").exists()
    assert "cannot be read" in error("find", tmp_path / "nothing.txt", "--engine", index)
