"""`dup-groups compare` and `methods`: what they tell of two pages, and of the methods that compare them."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

from cli.files import html
from commands import cli, error
from dupgroups.content.extract import EXTRACTORS
from dupgroups.methods.signatures import SIGNERS
from dupgroups.methods.verdicts import JUDGES
from stories import running_text, story


def compare(folder: Path, one: str, two: str, *options: str) -> str:
    """What is printed about files with these texts."""
    (folder / "1.txt").write_text(one)
    (folder / "2.txt").write_text(two)
    return cli("compare", folder / "1.txt", folder / "2.txt", *options).stdout


def test_it_tells_relation_reason_and_differences(tmp_path: Path) -> None:
    page, longer = html(story("a")).decode(), story("a") + "\nOnly here it is said."
    lines = compare(tmp_path, page, longer).splitlines()
    assert lines[0].startswith("duplicate (")
    assert lines[2:] == ["+ Only here it is said."]
    answer = json.loads(compare(tmp_path, page, longer, "--json"))
    assert answer["verdict"].keys() == {"relation", "score", "reason"}
    assert answer["differences"] == lines[2:]


def test_changed_sentences_stand_together_and_moved_ones_are_not_a_difference(tmp_path: Path) -> None:
    paragraphs = story("a").split("\n")
    changed = [paragraphs[0], "It was said here.", *paragraphs[2:5], *paragraphs[:4:-1]]
    lines = compare(tmp_path, "\n".join(paragraphs), "\n".join(changed)).splitlines()
    assert lines[2:] == [f"- {paragraphs[1]}", "+ It was said here."]


def test_a_page_that_cannot_be_had_is_an_error_in_one_sentence(tmp_path: Path) -> None:
    assert "cannot be fetched" in error("compare", "http://[bad/", "http://[bad/")
    assert "cannot be read" in error("compare", tmp_path / "no", tmp_path / "no")


def test_the_list_names_every_method_and_one_is_explained_with_its_source() -> None:
    listed = cli("methods").stdout
    assert {name for name in (*EXTRACTORS, *SIGNERS, *JUDGES) if f"  {name}" not in listed} == set()
    assert "SIGIR 2008" in cli("methods", "spotsigs").stdout
    (minhash,) = json.loads(cli("methods", "minhash", "--json").stdout)
    assert (minhash["kind"], minhash["judges"][0]) == ("signer", "resemblance")
    assert minhash["parameters"] == {field.name: field.default for field in fields(SIGNERS["minhash"])}


def test_a_parameter_by_name_decides_the_verdict(tmp_path: Path) -> None:
    one, two = running_text("a"), f"{running_text('a')}\n{running_text('b')}"
    assert compare(tmp_path, one, two, "--judge", "resemblance threshold=0.9").startswith("contained")
    assert compare(tmp_path, one, two).startswith("duplicate")
