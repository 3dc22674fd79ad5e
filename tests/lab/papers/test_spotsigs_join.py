"""`dup-groups evaluate spotsigs`: the join finds what brute force finds, and an error in it shows."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result
from typer.testing import CliRunner

from dupgroups.cli import app
from dupgroups_lab.papers import spotsigs_join
from dupgroups_lab.papers.spotsigs_join import measure
from stories import running_chinese, running_text

STORIES, VERSIONS = 10, 4


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """Ten stories, each in four versions that lack another number of paragraphs, and a page without spots."""
    lines = {"none": "Home"}
    for number in range(STORIES):
        paragraphs = running_text(str(number)).split("\n")
        lines |= {f"{number}/{cut}": "\n".join(paragraphs[cut:]) for cut in range(VERSIONS)}
    path = tmp_path / "docs.jsonl"
    path.write_text(
        "\n".join(json.dumps({"id": name, "text": text, "lang": "en"}) for name, text in lines.items()),
        encoding="utf-8",
    )
    return path


def run(*arguments: object) -> Result:
    command = ["evaluate", "spotsigs", *map(str, arguments)]
    return CliRunner().invoke(app, command, env={"COLUMNS": "150"}, catch_exceptions=False)


def test_the_command_prints_what_both_ways_find(docs: Path) -> None:
    result = run(docs)
    assert result.exit_code == 0
    first, _, head, *rows = result.stdout.splitlines()
    assert first == "40 signed documents, 780 pairs."
    assert head.split()[:3] == ["threshold", "pairs", "found"]
    by_threshold = {row.split()[0]: row.split()[1:4] for row in rows if row}
    assert by_threshold["0.6"] == ["60", "0", "0"]
    assert list(by_threshold) == ["0.2", "0.4", "0.6", "0.8"]


def test_documents_of_any_language_are_joined(docs: Path) -> None:
    chinese = [{"id": name, "text": running_chinese("zh"), "lang": "zh"} for name in "ab"]
    docs.write_text("\n".join(map(json.dumps, chinese)), encoding="utf-8")
    assert json.loads(run(docs, "--json").stdout)["joins"][3]["found"] == 1


def test_as_json_and_of_the_first_documents(docs: Path) -> None:
    results = json.loads(run(docs, "--first", 9, "--json").stdout)
    assert (results["documents"], results["pairs"]) == (8, 28)
    join = results["joins"][2]
    assert (join["threshold"], join["found"]) == (0.6, 12)
    assert join["found"] <= join["compared"] == pytest.approx(join["share"] * 28)


def test_a_join_that_errs_is_an_error(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spotsigs_join, "similar_pairs", lambda sets, threshold: [(0, 39, threshold)])
    result = run(docs, "--json")
    assert result.exit_code == 1
    join = json.loads(result.stdout)["joins"][2]
    assert (join["found"], join["missing"], join["wrong"]) == (1, 60, 1)


def test_no_sets_have_no_pairs() -> None:
    assert measure([]).joins[0].share == 0
    assert measure([np.array([7], np.uint32)]).pairs == 0
