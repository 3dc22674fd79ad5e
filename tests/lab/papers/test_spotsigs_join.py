"""`dup-groups evaluate spotsigs`: the join finds what brute force finds, and an error in it shows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dupgroups.cli import app
from dupgroups_lab.papers import spotsigs_join
from lab.running import documents
from stories import running_text


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """Ten stories, each in four versions that lack another number of paragraphs, and a page without spots."""
    rows = [{"id": "none", "text": "Home", "lang": "en"}]
    for number in range(10):
        lines = running_text(str(number)).split("\n")
        versions = ({"id": f"{number}/{cut}", "text": "\n".join(lines[cut:])} for cut in range(4))
        rows += [{**version, "lang": "en"} for version in versions]
    return documents(tmp_path / "docs.jsonl", rows)


def test_a_join_that_errs_is_an_error(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spotsigs_join, "similar_pairs", lambda sets, threshold: [(0, 39, threshold)])
    result = CliRunner().invoke(app, ["evaluate", "spotsigs", str(docs), "--json"])
    assert result.exit_code == 1
    join = json.loads(result.stdout)["threshold"][2]
    assert (join["pairs found"], join["missing"], join["wrong"]) == ("1", "60", "1")
