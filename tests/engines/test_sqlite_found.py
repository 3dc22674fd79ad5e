"""SQLite keeps the results of a search, and never longer than they are true."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dupgroups.engines.sqlite import FOUND, SQLiteEngine
from dupgroups.model import Query
from engines.documents import document, opened


@pytest.fixture
def engine(path: Path) -> Iterator[SQLiteEngine]:
    with opened(path) as engine:
        engine.put([document(id_, title=f"Ferry {id_}") for id_ in ("a", "b", "c")])
        yield engine


def asked(engine: SQLiteEngine) -> list[str]:
    """The statements from now on that look for documents."""
    statements: list[str] = []
    with engine.transaction() as db:
        db.set_trace_callback(lambda text: statements.append(text) if "INTO hit" in text else None)
    return statements


def test_the_same_search_is_answered_from_memory_until_there_are_too_many(engine: SQLiteEngine) -> None:
    statements = asked(engine)
    first = engine.search(Query("ferry"))
    made = len(statements)
    assert made > 0
    assert engine.search(Query("ferry")) is first
    assert len(statements) == made
    for number in range(FOUND):
        engine.search(Query("ferry", offset=number + 1))
    assert len(statements) == made * (FOUND + 1)
    assert engine.search(Query("ferry")) == first
    assert len(statements) == made * (FOUND + 2)


WRITES: dict[str, Callable[[SQLiteEngine], None]] = {
    "put": lambda engine: engine.put([document("d", title="Ferry d")]),
    "touch": lambda engine: engine.touch(["c"], 2**60),
    "delete": lambda engine: engine.delete(["b"]),
    "merge": lambda engine: engine.put([], moves={"b": "a"}),
}


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("who", ["itself", "another process"])
def test_who_searches_after_a_write_sees_it(engine: SQLiteEngine, path: Path, write: str, who: str) -> None:
    before = engine.search(Query("ferry"))
    with opened(path) as other:
        WRITES[write](engine if who == "itself" else other)
    with opened(path) as fresh:
        assert engine.search(Query("ferry")) == fresh.search(Query("ferry")) != before
