"""The experiments of Alonso et al.: the effect of limits, and the tables."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from typer.testing import CliRunner

from dupgroups.cli import app
from dupgroups.signatures import weighted_phrases
from dupgroups.signatures.spotsigs import ANTECEDENTS
from dupgroups_lab.labels.pairs import pair, truth
from dupgroups_lab.papers.weightings import COMMON, WEIGHTINGS, ablation
from stories import running_text

FOOTER = "all of the rights in this are reserved by the owner of it and by no one else"


def pages() -> dict[str, str]:
    """Six stories, each twice with other paragraphs missing; ten short notes share a long footer only."""
    copies = {}
    for number in range(6):
        paragraphs = running_text(f"{number}").split("\n")
        copies[f"{number}/a"] = "\n".join(paragraphs[8:])
        copies[f"{number}/b"] = "\n".join(paragraphs[:-8])
    notes = {
        f"note{number}": f"{running_text(f'note{number}', 1)}\n{FOOTER}. {FOOTER}." for number in range(10)
    }
    return {**copies, **notes}


def test_the_rare_phrase_filter_separates_notes_from_copies() -> None:
    """The footer stands in 10 of 22 documents: a limit of 25 % drops it, one of 50 % leaves it."""
    texts = pages()
    labels = {pair(f"{number}/a", f"{number}/b"): "duplicate" for number in range(6)}
    labels |= {pair("note0", "note1"): "non"}
    results = ablation(texts, truth(texts, labels), 3)
    assert [row.name for row in results.antecedents[:-1]] == list(ANTECEDENTS)
    assert [row.name for row in results.weightings] == list(weighted_phrases.WEIGHTINGS) == list(WEIGHTINGS)
    by_limit = {row.name: row for row in results.common}
    assert list(by_limit) == [f"{percent} %" for percent in COMMON]
    assert by_limit["25 %"].reached.every.f1 == by_limit["25 %"].reached.every.mcc == 1.0
    assert (
        by_limit["50 %"].reached.every.f1
        == next(row for row in results.weightings if row.name == "df2").reached.every.f1
    )
    assert by_limit["99 %"].reached.every.f1 < 1.0


def test_the_command_prints_all_three_tables(tmp_path: Path) -> None:
    with (tmp_path / "docs.jsonl").open("w", encoding="utf-8") as lines:
        for document, text in pages().items():
            print(json.dumps({"id": document, "text": text, "lang": "en"}), file=lines)
    with (tmp_path / "pairs.csv").open("w", encoding="utf-8", newline="") as file:
        rows = [(f"{number}/a", f"{number}/b", "duplicate") for number in range(6)]
        csv.writer(file).writerows([("a", "b", "label"), *rows])
    arguments = ["--docs", tmp_path / "docs.jsonl", "--labels", tmp_path / "pairs.csv", "--phrase", 3]
    result = CliRunner().invoke(
        app,
        ["evaluate", "weightings", *map(str, arguments)],
        env={"COLUMNS": "150"},
        catch_exceptions=False,
    )
    assert result.exit_code == 0, result.output
    first_cells = [line.split("  ")[0] for line in result.stdout.splitlines()]
    for name in (*ANTECEDENTS, *WEIGHTINGS, "50 %"):
        assert name in first_cells
    assert "0.8505" in result.stdout
    assert "0.7967" in result.stdout
