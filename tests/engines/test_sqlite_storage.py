"""What a SQLite file holds: numbers of keys, compressed texts, an index of words and of their beginnings."""

from __future__ import annotations

from pathlib import Path

from dupgroups.engines.sqlite import SQLiteEngine
from engines.documents import document, found, opened

TEXTS = {
    "a": "flood fire",
    "b": "floors firm",
    "c": "flow",
    "d": "café fire",
    "e": "cafeteria fi",
    "h": "北京 flow",
}
FINDS = {"floo*": "ab", "caf*": "de", "café*": "d", "flo* fir*": "ab", "flo* fire": "a", "flo* -fire": "bch"}
FINDS |= {"fire -flo*": "d", "flo* -firm -fi*": "ch", "flo* OR fir*": "abcdh", "北* flo*": "h"}


def test_a_beginning_finds_the_words_that_begin_so() -> None:
    engine = SQLiteEngine()
    engine.put([document(id_, text=text, language="en") for id_, text in TEXTS.items()])
    assert {query: "".join(sorted(found(engine, query))) for query in FINDS} == FINDS


def test_the_index_of_beginnings_forgets_with_the_document(tmp_path: Path) -> None:
    with opened(tmp_path / "news.db") as engine:
        engine.put([document("a", text="flood"), document("b", text="fire")])
        engine.put([document("a", text="firm")])
        engine.delete(["b"])
        assert [found(engine, text) for text in ("flo*", "fi*", "fire -flo*")] == [[], ["a"], []]
        engine.put([document("c", text="café")])  # it gets the number that b had
        assert [found(engine, text) for text in ("fire*", "fir*", "caf*")] == [[], ["a"], ["c"]]
