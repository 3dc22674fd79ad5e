"""What documents said before they were changed: SQLite keeps it, as long as it keeps the document."""

import sqlite3
from contextlib import closing
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from dupgroups.engines import open_engine
from dupgroups.engines.base import MAX_REVISIONS
from dupgroups.text.facts import join_title
from engines.documents import document, opened

TEXTS = st.lists(st.sampled_from(["12 ", "14 dead. ", "桥。", "\ud800", "\n"]), max_size=6).map("".join)


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=6))
def test_every_version_comes_back_the_latest_first(versions: list[tuple[str, str]]) -> None:
    with open_engine("memory://") as engine:
        stored = []
        for at, (title, text) in enumerate(versions):
            engine.put([document("a", title=title, text=text, last_seen=at)])
            content = engine.read(["a"])["a"].content
            if not stored or stored[-1][1:] != (content.title, content.text):
                stored.append((at, content.title, content.text))
        found = engine.revisions(["a", "unknown"]).get("a", [])
    later = [at for at, *_ in stored[1:]]
    earlier = [join_title(title, text) for _, title, text in stored[:-1]]
    assert [(one.at, one.text) for one in found] == list(zip(later, earlier, strict=True))[::-1]


def test_deleting_a_document_deletes_what_it_said_and_moving_its_group_keeps_it(path: Path) -> None:
    with opened(path) as engine:
        engine.put([document("a", text="one"), document("b", text="one")])
        engine.put([document(id_, text="two", last_seen=5) for id_ in "ab"])
        engine.put([], moves={"a": "b"})
        assert engine.revisions("ab").keys() == {"a", "b"}
        engine.delete(["a"])
        engine.put([document("a", text="three")])
        assert engine.revisions("ab").keys() == {"b"}


def test_of_many_changes_the_latest_are_kept(path: Path) -> None:
    with opened(path) as engine:
        for at in range(MAX_REVISIONS + 5):
            engine.put([document("a", text=f"{at} dead", last_seen=at)])
        kept = engine.revisions(["a"])["a"]
    assert len(kept) == MAX_REVISIONS
    assert kept[-1].text == "4 dead"


def test_a_file_that_was_made_without_revisions_keeps_them_from_now_on(path: Path) -> None:
    with opened(path) as engine:
        engine.put([document("a", text="one")])
    with closing(sqlite3.connect(path)) as db:
        db.execute("DROP TABLE revision")
    with opened(path) as engine:
        engine.put([document("a", text="two", last_seen=3)])
        assert [one.text for one in engine.revisions(["a"])["a"]] == ["one"]
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DELETE FROM document")
    with opened(path) as engine:
        assert [*engine.find_gone()] == [["a"]]
        engine.delete(["a"])
        assert [*engine.find_gone()] == []
