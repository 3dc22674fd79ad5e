"""The experiments of Alonso et al.: the effect of limits, and the tables."""

from __future__ import annotations

from pathlib import Path

from dupgroups_lab.labels.pairs import pair
from dupgroups_lab.papers.weightings import FILTERS, SMART, WEIGHTINGS
from dupgroups_papers.signatures.spotsigs import ANTECEDENTS
from lab.running import labelled, run
from stories import running_text


def pages() -> dict[str, str]:
    """Six stories, each twice with other paragraphs missing."""
    copies = {}
    for number in range(6):
        paragraphs = running_text(f"{number}").split("\n")
        copies |= {f"{number}/a": "\n".join(paragraphs[8:]), f"{number}/b": "\n".join(paragraphs[:-8])}
    return copies


LABELS = {pair(f"{number}/a", f"{number}/b"): "duplicate" for number in range(6)}


def test_the_command_prints_all_three_tables(tmp_path: Path) -> None:
    rows = ({"id": document, "text": text, "lang": "en"} for document, text in pages().items())
    output = run("evaluate", "weightings", *labelled(tmp_path, rows, LABELS), "--phrase", 3).stdout
    first_cells = [line.split("  ")[0] for line in output.splitlines()]
    for name in (*ANTECEDENTS, SMART, *WEIGHTINGS, *FILTERS):
        assert name in first_cells
    for published in ("0.8505", "0.7967", "0.7572"):
        assert published in output
