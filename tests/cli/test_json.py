"""What commands print with `--json`."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from dupgroups import Deduper, Page
from dupgroups.cli import app
from dupgroups.content.extract import EXTRACTORS
from dupgroups.engines import open_engine
from dupgroups.signatures import SIGNERS
from dupgroups.verdicts import JUDGES
from stories import story


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A file with two copies of a story."""
    url = f"sqlite:///{tmp_path / 'news.db'}"
    with closing(open_engine(url)) as engine:
        Deduper(engine).add_all(Page(id=id_, text=story("one")) for id_ in "ab")
    return url


def values(*words: str, status: int = 0) -> Any:
    result = CliRunner().invoke(app, [*words, "--json"], catch_exceptions=False)
    assert result.exit_code == status, result.output
    return json.loads(result.stdout)


def test_methods_are_listed_or_explained() -> None:
    listed = values("methods")
    assert len(listed) == len(EXTRACTORS) + len(SIGNERS) + len(JUDGES)
    simhash = values("methods", "simhash")
    assert [(method["kind"], method["name"]) for method in simhash] == [("signer", "simhash")]
    assert simhash[0]["judges"][0] == "hamming"
    assert simhash[0]["description"]
    (minhash,) = values("methods", "minhash")
    assert minhash["parameters"] == {field.name: field.default for field in fields(SIGNERS["minhash"])}


def test_the_checks_of_doctor(url: str) -> None:
    answer = values("doctor", "--engine", url)
    assert answer["engine"] == url
    assert all(check["ok"] for check in answer["checks"])
    assert {"name", "ok", "detail"} == answer["checks"][0].keys()


def test_what_changed_in_an_index(url: str) -> None:
    assert values("settle", "--all", "--engine", url) == {
        "documents": 2,
        "groups": 0,
        "regrouped": 0,
        "elected": 0,
    }
    assert values("backfill", "--engine", url)["states"] == {"unchanged": 2}
    dry = values("delete", "a", "nosuch", "--dry-run", "--engine", url)
    assert dry == {"documents": 1, "unknown": 1, "deleted": False}
    assert values("delete", "a", "--engine", url) == {"documents": 1, "unknown": 0, "deleted": True}
    assert values("search", "", "--engine", url)["documents"] == 1


def test_pages_that_are_left_by_a_replay(url: str, tmp_path: Path) -> None:
    (tmp_path / "dead.jsonl").write_text("broken\n")
    answer = values("replay", str(tmp_path / "dead.jsonl"), "--engine", url, status=1)
    assert answer == {"pages": 1, "states": {"unreadable": 1}}


def test_a_comparison_and_its_differences(tmp_path: Path) -> None:
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    one.write_text(story("one"))
    two.write_text(story("one") + "\nAnother sentence here.")
    answer = values("compare", str(one), str(two))
    assert answer["verdict"].keys() == {"relation", "score", "reason"}
    assert answer["differences"] == ["+ Another sentence here."]
