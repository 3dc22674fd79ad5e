"""The ablations of Alonso et al.: what the limits do, and the tables."""

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
    found = {}
    for at in range(6):
        paragraphs = running_text(f"{at}").split("\n")
        found[f"{at}/a"] = "\n".join(paragraphs[8:])
        found[f"{at}/b"] = "\n".join(paragraphs[:-8])
    notes = {f"note{at}": f"{running_text(f'note{at}', 1)}\n{FOOTER}. {FOOTER}." for at in range(10)}
    return {**found, **notes}


def test_the_rare_phrase_filter_tells_notes_from_copies() -> None:
    """The footer stands in 10 of 22 documents: a limit of 25 % drops it, one of 50 % leaves it."""
    texts = pages()
    labels = {pair(f"{at}/a", f"{at}/b"): "duplicate" for at in range(6)}
    labels |= {pair("note0", "note1"): "non"}
    found = ablation(texts, truth(texts, labels), 3)
    assert [row.name for row in found.antecedents[:-1]] == list(ANTECEDENTS)
    assert [row.name for row in found.weightings] == list(weighted_phrases.WEIGHTINGS) == list(WEIGHTINGS)
    by_limit = {row.name: row for row in found.common}
    assert list(by_limit) == [f"{percent} %" for percent in COMMON]
    assert by_limit["25 %"].reached.every.f1 == by_limit["25 %"].reached.every.mcc == 1.0
    assert (
        by_limit["50 %"].reached.every.f1
        == next(row for row in found.weightings if row.name == "df2").reached.every.f1
    )
    assert by_limit["99 %"].reached.every.f1 < 1.0


def test_the_command_prints_all_three_tables(tmp_path: Path) -> None:
    with (tmp_path / "docs.jsonl").open("w", encoding="utf-8") as lines:
        for own, text in pages().items():
            print(json.dumps({"id": own, "text": text, "lang": "en"}), file=lines)
    with (tmp_path / "pairs.csv").open("w", encoding="utf-8", newline="") as file:
        rows = [(f"{at}/a", f"{at}/b", "duplicate") for at in range(6)]
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
