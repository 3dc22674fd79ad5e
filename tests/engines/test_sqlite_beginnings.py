"""Beginnings of words, as in `flo*`: SQLite finds what the memory engine finds, whatever index it uses."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from dupgroups.engines import Engine
from dupgroups.engines.memory import MemoryEngine
from dupgroups.engines.sqlite_expressions import lookups
from dupgroups.model import Document
from dupgroups.text.query_syntax import parse
from engines.documents import document, found, opened, with_bands, without_beginnings

WORDS = ["flood", "floors", "flow", "fire", "firm", "fi", "café", "cafeteria", "happy", "naïve", "北京", "ラ"]
QUERIES = [
    *("fl*", "flo*", "floo*", "flood*", "happi*", "caf*", "café*", "na*", "naïv*", "fi*", "fir*"),
    *("flo* fir*", "flo* fire", "fire flo* caf*", "flo* -fire", "fire -flo*", "flo* -firm -fi*"),
    *("flo* OR fir*", "flo* OR fire", "cafeteria -flo* -fire -happy", "北* flo*", "ラ* fl*"),
]  # fmt: skip


def some_documents(seed: int) -> list[Document]:
    chance = random.Random(seed)
    return [
        document(
            f"d{n}",
            title=" ".join(chance.choices(WORDS, k=chance.randrange(2))),
            text=" ".join(chance.choices(WORDS, k=chance.randrange(5))),
            language=chance.choice(["en", "fr", ""]),
        )
        for n in range(60)
    ]


def answers(engine: Engine) -> dict[str, list[str]]:
    return {query: sorted(found(engine, query)) for query in QUERIES}


def expected(documents: Sequence[Document]) -> dict[str, list[str]]:
    reference = MemoryEngine()
    reference.put(documents)
    return answers(reference)


def test_every_query_finds_something_and_not_all() -> None:
    sizes = {query: len(ids) for query, ids in expected(some_documents(0)).items()}
    assert {query: size for query, size in sizes.items() if not 0 < size < 60} == {}


@pytest.mark.parametrize("age", [lambda path: None, without_beginnings, with_bands])
def test_new_and_old_files_find_what_the_reference_finds(tmp_path: Path, age: Callable[[Path], None]) -> None:
    path, documents = tmp_path / "news.db", some_documents(0)
    with opened(path) as engine:
        engine.put(documents)
        assert answers(engine) == expected(documents)
    age(path)
    later = some_documents(1)[:20]
    with opened(path) as engine:
        assert answers(engine) == expected(documents)
        assert engine.closest(["floodd", "capeteria"], limit=1) == {
            "floodd": ["flood"],
            "capeteria": ["cafeteria"],
        }
        engine.put(later)
        engine.delete([f"d{n}" for n in range(10, 30)])
        assert answers(engine) == expected([*later[:10], *documents[30:]])


def test_the_index_of_beginnings_forgets_with_the_document(tmp_path: Path) -> None:
    with opened(tmp_path / "news.db") as engine:
        engine.put([document("a", text="flood"), document("b", text="fire")])
        engine.put([document("a", text="firm")])
        engine.delete(["b"])
        assert [found(engine, text) for text in ("flo*", "fi*", "fire -flo*")] == [[], ["a"], []]
        engine.put([document("c", text="café")])  # it gets the number that b had
        assert [found(engine, text) for text in ("fire*", "fir*", "caf*")] == [[], ["a"], ["c"]]


@pytest.mark.parametrize(
    ("query", "table", "condition"),
    [
        ("flo*", "beginnings", ""),
        ("flo* OR fir*", "beginnings", ""),
        ("flo* -fire", "beginnings", "NOT IN"),
        ("flo* fire", "text_index", "IN"),
        ("fire -flo*", "text_index", "NOT IN"),
        ("flood*", "text_index", ""),
        ("flo* OR fire", "text_index", ""),
    ],
)
def test_words_and_short_beginnings_are_looked_up_in_their_indexes(
    query: str, table: str, condition: str
) -> None:
    found, *old = lookups(parse(query, None), has_beginnings=True)
    assert (found.table, found.condition.removeprefix("+{table}.rowid ").partition(" (")[0]) == (
        table,
        condition or "1",
    )
    assert [lookup.table for lookup in old] == ["terms", "words"]
    assert all("*" in lookup.match for lookup in old) == ("*" in query)
