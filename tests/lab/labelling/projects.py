"""A labelling project over a few made stories."""

from __future__ import annotations

from pathlib import Path

from dupgroups import Deduper
from dupgroups.engines.base import Engine
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups_lab.labelling.drawing import Honeypots, Plan, draw, read_pool, shown_documents
from dupgroups_lab.labelling.model import Rules
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
