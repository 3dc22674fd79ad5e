"""What the commands that measure print with `--json`: the scores of their tables, as numbers."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from dupgroups.cli import app
from lab.packs import typed_pack
from stories import chinese_story, running_text


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two copies of two stories in each of two languages, as html, with labels."""
    folder = tmp_path_factory.mktemp("labelled")
    texts = {
        "one": running_text("one"),
        "two": running_text("two"),
        "三": chinese_story("3"),
        "四": chinese_story("4"),
    }
    with (folder / "docs.jsonl").open("w", encoding="utf-8") as lines:
        for name, text in texts.items():
            html = "".join(f"<p>{paragraph}</p>" for paragraph in text.split("\n"))
            for copy in "ab":
                print(
                    json.dumps({"id": name + copy, "html": f"<body>{html}</body>", "text": text}), file=lines
                )
    labels = "".join(f"{name}a,{name}b,duplicate\n" for name in texts)
    (folder / "pairs.csv").write_text("a,b,label\n" + labels, encoding="utf-8")
    return folder


def values(*words: object) -> Any:
    result = CliRunner().invoke(app, [*map(str, words), "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def labelled(folder: Path, *words: object) -> Any:
    return values(*words, "--docs", folder / "docs.jsonl", "--labels", folder / "pairs.csv")


def test_duplicates(folder: Path) -> None:
    vary = ("--vary", "judge.threshold=0.4,0.6", "--processes", 1, "--report", folder / "report.html")
    measured = labelled(folder, "evaluate", "duplicates", *vary)
    assert (measured["documents"], measured["positive_pairs"], measured["ignored_pairs"]) == (8, 4, 0)
    counts = {"tp": 4, "fp": 0, "fn": 0, "tn": 24}
    scores = dict.fromkeys(("precision", "recall", "f1", "mcc"), 1.0)
    assert measured["groups"]["confusion"] == counts | scores
    assert measured["pairs"]["estimates"]["f1"] == {"value": 1.0, "low": 1.0, "high": 1.0}
    assert (measured["wrong"], measured["missed"], measured["looked_up"]) == ([], [], 1.0)
    assert measured["varied"].keys() == {"0.4", "0.6"}
    assert (folder / "report.html").exists()


def test_calibration(folder: Path) -> None:
    calibrated = labelled(folder, "calibrate", "--out", folder / "new.toml")
    assert calibrated["out"] == str(folder / "new.toml")
    assert len(calibrated["results"]) + len(calibrated["unchanged"]) > 0


def test_edits_and_keys(folder: Path) -> None:
    docs = folder / "docs.jsonl"
    edits = values("evaluate", "edits", docs, "--labels", folder / "pairs.csv", "--fields", "html=")
    assert (edits["originals"], edits["too_short"], edits["joined_originals"]["tp"]) == (8, 0, 4)
    assert len({row["language"] for row in edits["edits"]}) == 2
    keys = values("evaluate", "keys", docs, "--fields", "html=")
    assert (keys["documents"], keys["joined"], keys["recall"]) == (8, 4, 1.0)


@pytest.mark.parametrize(
    ("command", "tables"),
    [
        ("cedar --train=", {"extractors", "filters", "systems", "figures", "blocks"}),
        ("weightings", {"antecedents", "weightings", "filters", "mcc"}),
        ("period-string", {"whole", "auto", "reference"}),
    ],
)
def test_the_tables_of_papers(folder: Path, command: str, tables: set[str]) -> None:
    measured = labelled(folder, "evaluate", *command.split())
    assert measured["documents"] == 8
    assert measured["results"].keys() == tables


def test_extraction(tmp_path: Path) -> None:
    page = {"id": "1", "site": "a", "url": None, "lang": "en", "page_type": "article"}
    with gzip.open(tmp_path / "pages.jsonl.gz", "wt", encoding="utf-8") as lines:
        lines.write(json.dumps({**page, "html": "<p>A short story.</p>", "text": "A short story."}))
    measured = values("evaluate", "extraction", "--pack", tmp_path, "--extractors", "whole")
    assert measured["whole"][0]["score"]["recall"] == 1.0
    assert measured["whole"][0]["time"]["parses"] > 0


def test_articles(tmp_path: Path) -> None:
    pack = typed_pack(tmp_path)
    measured = values("evaluate", "articles", pack, "--trials", 2)
    assert (measured["pages"], len(measured["scores"])) == (24, 2)
    assert all(len(scores["trials"]) == 2 for scores in measured["scores"].values())
