"""The commands of the lab as a user types them, and the files that they are given."""

import csv
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from click.testing import Result
from typer.testing import CliRunner

from dupgroups.cli.console import app
from dupgroups_lab.labels.labelled_pairs import Pair


def run(*words: object) -> Result:
    """The result of a command that succeeds, with tables that are wide enough; its errors are raised."""
    result = CliRunner().invoke(app, list(map(str, words)), env={"COLUMNS": "400"}, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result


def printed(*words: object) -> str:
    """What a command prints, with single blanks for all white space."""
    return " ".join(run(*words).stdout.split())


def values(*words: object) -> Any:
    """What a command prints with `--json`."""
    return json.loads(run(*words, "--json").stdout)


def documents(path: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    """A file of documents, one to a line."""
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def table(path: Path, columns: str, rows: Iterable[Iterable[str]]) -> Path:
    """A CSV file of these columns, which are separated by commas."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([columns.split(","), *rows])
    return path


def labelled(folder: Path, rows: Iterable[Mapping[str, Any]], labels: Mapping[Pair, str]) -> list[object]:
    """Write documents and labels; gives the options that name the files."""
    pairs = table(folder / "pairs.csv", "a,b,label", ((*ids, label) for ids, label in labels.items()))
    return ["--docs", documents(folder / "docs.jsonl", rows), "--labels", pairs]


def paragraphs(text: str) -> str:
    """A text as html, every line a paragraph."""
    return "".join(f"<p>{line}</p>" for line in text.split("\n"))
