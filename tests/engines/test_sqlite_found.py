"""SQLite keeps the results of a search, and never longer than they are true."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.model import Query
from engines.documents import document, opened


@pytest.fixture
def engine(path: Path) -> Iterator[SQLiteEngine]:
    with opened(path) as engine:
        engine.put([document(id_, title=f"Ferry {id_}") for id_ in ("a", "b", "c")])
        yield engine


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
