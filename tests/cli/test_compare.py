"""`dup-groups compare`: what it tells of two pages, and what it says when it cannot have one."""

from __future__ import annotations

import json
from pathlib import Path

from cli.files import html
from commands import cli, error
from stories import story


def compare(folder: Path, *texts: str, json: bool = False) -> str:
    """What is printed about files with these texts."""
    paths = [folder / f"{number}.txt" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return cli("compare", *paths, *(["--json"] if json else [])).stdout


def test_it_tells_relation_reason_and_differences(tmp_path: Path) -> None:
    page, longer = html(story("a")).decode(), story("a") + "\nOnly here it is said."
    lines = compare(tmp_path, page, longer).splitlines()
    assert lines[0].startswith("duplicate (")
    assert lines[2:] == ["+ Only here it is said."]
    answer = json.loads(compare(tmp_path, page, longer, json=True))
    assert answer["verdict"].keys() == {"relation", "score", "reason"}
    assert answer["differences"] == lines[2:]


def test_changed_sentences_stand_together_and_moved_ones_are_not_a_difference(tmp_path: Path) -> None:
    paragraphs = story("a").split("\n")
    changed = [paragraphs[0], "It was said here.", *paragraphs[2:5], *paragraphs[:4:-1]]
    lines = compare(tmp_path, "\n".join(paragraphs), "\n".join(changed)).splitlines()
    assert lines[2:] == [f"- {paragraphs[1]}", "+ It was said here."]


def test_of_texts_of_many_unlike_sentences_some_are_shown(tmp_path: Path) -> None:
    one, two = ("".join(f"{name} {number} was said.\n" for number in range(30_000)) for name in "ab")
    lines = compare(tmp_path, one, two).splitlines()
    assert lines[2:4] == ["- a 0 was said.", "+ b 0 was said."]
    assert lines[-1] == "  and 59,980 more sentences"


def test_a_page_that_cannot_be_had_is_an_error_in_one_sentence(tmp_path: Path) -> None:
    assert "cannot be fetched" in error("compare", "http://[bad/", "http://[bad/")
    assert "cannot be read" in error("compare", tmp_path / "no", tmp_path / "no")
