"""SQLite keeps the results of a search, and never longer than they are true."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from browser.stories import document
from dupgroups import open_engine
from dupgroups.engines.sqlite import FOUND, SQLiteEngine
from dupgroups.model import Query

Write = Callable[[SQLiteEngine], None]


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'news.db'}"


@pytest.fixture
def engine(url: str) -> Iterator[SQLiteEngine]:
    with closing(open_engine(url)) as engine:
        assert isinstance(engine, SQLiteEngine)
        engine.put([document(id_, id_, "Bay News", f"Ferry {id_}", "Fog.") for id_ in ("a", "b", "c")])
        yield engine


def asked(engine: SQLiteEngine) -> list[str]:
    """The statements from now on that look for documents."""
    statements: list[str] = []
    with engine.transaction() as db:
        db.set_trace_callback(lambda text: statements.append(text) if "INTO hit" in text else None)
    return statements


def ids(engine: SQLiteEngine) -> list[str]:
    return [hit.shown.id for hit in engine.search(Query("ferry")).hits]


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


@pytest.mark.parametrize(
    "write",
    [
        lambda engine: engine.put([document("d", "d", "Bay News", "Ferry d", "Fog.")]),
        lambda engine: engine.touch(["a"], 2**60),
        lambda engine: engine.delete(["b"]),
        lambda engine: engine.put([], moves={"b": "a"}),
    ],
    ids=["put", "touch", "delete", "merge"],
)
@pytest.mark.parametrize("who", ["itself", "another process"])
def test_who_searches_after_a_write_sees_it(engine: SQLiteEngine, url: str, write: Write, who: str) -> None:
    before = ids(engine)
    with closing(open_engine(url)) as other:
        assert isinstance(other, SQLiteEngine)
        write(engine if who == "itself" else other)
    with closing(open_engine(url)) as fresh:
        assert isinstance(fresh, SQLiteEngine)
        assert ids(engine) == ids(fresh) != before
