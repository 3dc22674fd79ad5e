"""A labelling project over a few made stories, and small boards of items and answers, written briefly."""

from pathlib import Path

from dupgroups import Deduper
from dupgroups.engines.base import Engine
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups_lab.labelling.board import Board
from dupgroups_lab.labelling.drawing import Honeypots, Plan, draw, read_pool, shown_documents
from dupgroups_lab.labelling.model import Answer, Item, Rules
from dupgroups_lab.labelling.store import LabelStore
from stories import reprints

ALL = (0.0, 1.0)  # a small collection has no phrase that is frequent enough for the window


def crawled(stories: int = 6, copies: int = 3) -> Engine:
    """An index of reprints: the ids begin with the story, as in s0/1."""
    engine = SQLiteEngine()
    Deduper(engine).add_all(reprints(stories, copies).values())
    return engine


def project(path: Path, engine: Engine, rules: Rules, plan: Plan | None = None) -> LabelStore:
    """Pairs of an index, drawn and kept in a file."""
    pool = read_pool(engine, 1_000)
    items = draw(pool, plan or Plan(pairs=20, window=ALL), rules, Honeypots({}, {}))
    return LabelStore.create(path, rules, shown_documents(engine, items, pool), items)


def is_same(a: str, b: str) -> bool:
    """Whether two documents of `crawled` are of the same story."""
    return a.partition("/")[0] == b.partition("/")[0]


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
