"""Small boards of items and answers, written briefly."""

from __future__ import annotations

from dupgroups_lab.labelling.board import Board
from dupgroups_lab.labelling.model import Answer, Item, Rules


def news(*documents: str, known: str = "") -> list[Item]:
    """An item of the first phase for each document, with the key `n:document`."""
    return [Item(f"n:{document}", "news", document, known=known) for document in documents]


def pairs(*ids: str, known: str = "") -> list[Item]:
    """An item of the second phase for each pair such as "ab", with the key `p:ab`."""
    return [Item(f"p:{pair}", "pairs", *pair, known=known) for pair in ids]


def board(items: list[Item], *answers: str, rules: Rules | None = None) -> Board:
    """Answers are written as "assessor key answer"."""
    rules = rules or Rules(wanted=2, honeypots=0)
    given = [Answer(key, assessor, answer) for assessor, key, answer in map(str.split, answers)]
    return Board({item.key: item for item in items}, given, rules)


def news_by(names: str, documents: str) -> list[str]:
    """Answers that make these documents news: by every assessor of `names` on every one of `documents`."""
    return [f"{name} n:{document} yes" for document in documents for name in names]
