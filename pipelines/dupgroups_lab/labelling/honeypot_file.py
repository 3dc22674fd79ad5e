"""Items with known answers, from CSV files: documents that are news or not, and labelled pairs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from dupgroups.errors import InputError
from dupgroups_lab.labelling.drawing import Honeypots
from dupgroups_lab.labels.pairs import Pair, columns_of, read_labels


def read_honeypots(paths: Iterable[Path]) -> Honeypots:
    """The honeypots of files with the columns id, news ("yes" or "no"), or a, b, label.

    Raises InputError for any other file or answer.
    """
    news: dict[str, str] = {}
    pairs: dict[Pair, str] = {}
    for path in paths:
        try:
            rows = list(columns_of(path, ("id", "news")))
        except InputError:  # of another kind, or no file at all, which `read_labels` says
            pairs |= {ids: label for ids, label in read_labels(path).items() if label != "unjudged"}
            continue
        for number, (document, answer) in rows:
            if not document or answer not in ("yes", "no"):
                raise InputError(f"{path}, line {number}: give an id, and yes or no as news")
            news[document] = answer
    return Honeypots(news, pairs)
