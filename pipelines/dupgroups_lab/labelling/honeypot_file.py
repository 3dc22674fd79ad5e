"""Items with known answers, from CSV files: documents that are news or not, and labelled pairs."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

from dupgroups.errors import InputError
from dupgroups_lab.labelling.drawing import Honeypots
from dupgroups_lab.labels.pairs import Pair, read_labels


def read_honeypots(paths: Iterable[Path]) -> Honeypots:
    """The honeypots of files with the columns id, news ("yes" or "no"), or a, b, label.

    Raises InputError for any other file or answer.
    """
    news: dict[str, str] = {}
    pairs: dict[Pair, str] = {}
    for path in paths:
        if "news" in _columns(path):
            news |= _news(path)
        else:
            pairs |= {ids: label for ids, label in read_labels(path).items() if label != "unjudged"}
    return Honeypots(news, pairs)


def _columns(path: Path) -> list[str]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            return next(csv.reader(file), [])
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path} is not a CSV file in UTF-8: {error}") from error


def _news(path: Path) -> dict[str, str]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    for number, row in enumerate(rows, start=2):
        if not row.get("id") or row.get("news") not in ("yes", "no"):
            raise InputError(f"{path}, line {number}: give an id, and yes or no as news")
    return {row["id"]: row["news"] for row in rows}
