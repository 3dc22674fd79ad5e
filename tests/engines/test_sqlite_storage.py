"""What a SQLite file holds: numbers of keys, compressed texts, an index without copies; and vacuum."""

from __future__ import annotations

import json
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from commands import run
from dupgroups.engines import sqlite_terms, sqlite_upgrade
from dupgroups.engines.sqlite_lookup import key_number
from dupgroups.engines.sqlite_schema import VERSION
from dupgroups.engines.sqlite_vacuum import compact
from dupgroups.errors import EngineError
from engines.documents import (
    document,
    found,
    ids,
    ill,
    opened,
    search,
    signature,
    with_bands,
    without_order,
)
from engines.test_sqlite import child

TEXT = "The ferry struck a moored barge in thick fog, the coast guard said. " * 30


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "news.db"


@pytest.fixture
def vacuum(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """Run `dup-groups vacuum` on the file: its exit status, stdout and stderr."""

    def vacuum(*options: str) -> tuple[int, str, str]:
        code = run(monkeypatch, "vacuum", str(path), *options)
        return code, *capsys.readouterr()

    return vacuum


Vacuum = Callable[..., tuple[int, str, str]]


def version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0])


# -- keys


def test_short_keys_are_numbers_in_their_order_and_long_ones_are_hashed() -> None:
    keys = ["", "\0", "a", "aa", "ab", "b", "zzzzzz", "é", "a long key", "another long key", "k" * 1000]
    numbers = [key_number(key) for key in keys]
    assert len(set(numbers)) == len(keys)
    assert all(-(2**63) <= number < 2**63 for number in numbers)
    assert key_number("AAAAA") < key_number("AAAAB") < key_number("zzzzz")


def test_a_batch_of_look_ups_equals_single_ones(path: Path) -> None:
    with opened(path) as engine:
        engine.put(
            [document(f"{n}", keys=[f"{n % 3}", f"{n % 5}", f"long key {n % 7}"]) for n in range(60)]
            + [document("other", keys=["0", "1"], scheme="s2")]
        )
        asked = [
            signature("0", "1"), signature("4", "long key 6"), signature(), signature("none"),
            signature("0", scheme="s2"), signature("0", scheme="unknown"), signature("2", "2"),
        ]  # fmt: skip
        alone = [engine.candidates([one], limit=7)[0] for one in asked]
        assert engine.candidates(asked, limit=7) == alone
        assert [len(records) for records in alone] == [7, 7, 0, 0, 1, 0, 7]
        assert engine.candidates([], limit=7) == []


# -- texts and their index


def test_a_text_is_stored_compressed_and_comes_back(path: Path) -> None:
    long, short = document("a", text=TEXT), document("b", text="water")
    with opened(path) as engine:
        engine.put([long, short])
        assert list(engine.scan()) == [long, short]
        assert "ferry" in search(engine, "barge", mode="all").hits[0].snippet
        stored = [row[0] for row in engine._db.execute("SELECT text FROM payload ORDER BY doc")]
    assert len(stored[0]) < len(TEXT) / 2
    assert stored[1] == "water"


def test_terms_that_are_made_otherwise_now_are_not_found_and_vacuum_removes_them(
    path: Path, monkeypatch: pytest.MonkeyPatch, vacuum: Vacuum
) -> None:
    """As after an upgrade of the stemmer: FTS5 cannot take out what it is not given."""
    with opened(path) as engine:
        engine.put([document("a", text="flooded fields"), document("b", text="water"), document("c")])
        make = sqlite_terms.search_terms
        monkeypatch.setattr(sqlite_terms, "search_terms", lambda text, language: make(f"{text} x", language))
        engine.put([document("a", text="smoke")])
        engine.delete(["b"])
        engine.put([document("d", text="fire")])  # gets no number of a document that is gone
        assert (found(engine, "fields"), found(engine, "water"), found(engine, "flooded")) == ([], [], [])
        assert (found(engine, "smoke"), found(engine, "fire"), ill(engine)) == (["a"], ["d"], [])
    assert vacuum()[0] == 0
    with opened(path) as engine:
        assert (found(engine, "fields"), found(engine, "smoke"), found(engine, "fire")) == ([], ["a"], ["d"])
        assert engine.closest(["flooed"]) == {"flooed": []}
        assert ill(engine) == []


# -- files of earlier versions


def test_an_older_file_keeps_its_keys_groups_and_words(path: Path) -> None:
    documents = [document(f"{n}", keys=[f"k{n % 2}", f"key number {n}"], text=TEXT) for n in range(6)]
    with opened(path) as engine:
        engine.put(documents)
        expected = engine.candidates([signature("k1", "key number 3")], limit=9)
    with_bands(path)
    with opened(path) as engine:
        assert version(path) == VERSION
        assert engine.candidates([signature("k1", "key number 3")], limit=9) == expected
        assert ids(expected[0]) == ["3", "1", "5"]
        assert list(engine.scan()) == documents
        assert (len(found(engine, "ferry")), ill(engine)) == (6, [])
        engine.put([document("3", keys=["new"], text="water")])
        engine.delete(["1"])
        assert ids(engine.candidates([signature("k1", "key number 3")], limit=9)[0]) == ["5"]
        assert (len(found(engine, "ferry")), found(engine, "water"), ill(engine)) == (4, ["3"], [])


@pytest.mark.parametrize(
    ("age", "reports"),
    [
        (with_bands, ["the update", "keys"]),
        (without_order, ["the update", "beginnings of words"]),
        (lambda path: None, []),
    ],
)
def test_the_update_of_a_large_file_is_announced_once(
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    age: Callable[[Path], None],
    reports: list[str],
) -> None:
    with opened(path) as engine:
        engine.put([document(f"{n}", keys=[f"k{n}"]) for n in range(3)])
    age(path)
    monkeypatch.setattr(sqlite_upgrade, "LARGE", 3)
    for _ in range(2):
        with opened(path):
            pass
    sentences = {
        "the update": f"Updating sqlite:///{path}, once: 3 documents; if it is interrupted, nothing is lost",
        "keys": f"Updating sqlite:///{path}: 100 % of the keys",
        "beginnings of words": f"Updating sqlite:///{path}: 100 % of the beginnings of words",
    }
    assert [record.getMessage() for record in caplog.records] == [sentences[name] for name in reports]


UPDATER = """
import os, signal, sys
from dupgroups.engines import open_engine, sqlite_upgrade
def die(key):
    if key == "k7":
        os.kill(os.getpid(), signal.SIGKILL)
    return 0
sqlite_upgrade.key_number = die
open_engine(sys.argv[1])
"""


def test_an_update_that_is_killed_loses_nothing_and_is_done_by_the_next_process(path: Path) -> None:
    documents = [document(f"{n}", keys=[f"k{n}"], text=TEXT) for n in range(9)]
    with opened(path) as engine:
        engine.put(documents)
    with_bands(path)
    assert child(UPDATER, f"sqlite:///{path}").wait(timeout=120) == -signal.SIGKILL
    assert version(path) == 8
    with opened(path) as engine:
        assert list(engine.scan()) == documents
        assert ids(engine.candidates([signature("k7")], limit=9)[0]) == ["7"]
        assert (len(found(engine, "ferry")), ill(engine)) == (9, [])


# -- vacuum


def test_vacuum_writes_old_documents_anew_and_says_the_bytes(path: Path, vacuum: Vacuum) -> None:
    documents = [document(f"{n:02}", text=f"{TEXT} Number{n}.") for n in range(40)]
    with opened(path) as engine:
        engine.put(documents)
    with_bands(path)
    before = path.stat().st_size
    code, out, _ = vacuum()
    after = path.stat().st_size
    assert (code, out) == (0, f"{path}: {before:,} bytes before, {after:,} after\n")
    assert after < before / 2
    with opened(path) as engine:
        assert list(engine.scan()) == documents
        assert (len(found(engine, "ferry")), found(engine, "number7"), ill(engine)) == (40, ["07"], [])
        assert engine._db.execute("SELECT count(*) FROM terms").fetchone() == (0,)
        engine.delete([f"{n:02}" for n in range(1, 40)])
    full = path.stat().st_size
    assert json.loads(vacuum("--json")[1]) == {"before": full, "after": path.stat().st_size}
    assert path.stat().st_size < full


def test_vacuum_beside_a_writer_says_so_and_loses_nothing(path: Path) -> None:
    with opened(path, "?timeout=0.05") as engine, closing(sqlite3.connect(path)) as other:
        engine.put([document("a", text=TEXT)])
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(EngineError, match="another process is writing to it: try again"):
            compact(engine)
        other.rollback()
        compact(engine)
        assert (found(engine, "ferry"), ill(engine)) == (["a"], [])


def test_vacuum_of_a_file_that_is_not_there(path: Path, vacuum: Vacuum) -> None:
    code, _, err = vacuum()
    assert (code, path.exists()) == (1, False)
    assert "there is no file" in err


def test_vacuum_takes_the_url_of_a_file_and_of_nothing_else(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with opened(path) as engine:
        engine.put([document("a")])
    assert run(monkeypatch, "vacuum", f"sqlite:///{path}?timeout=1") == 0
    assert "bytes before" in capsys.readouterr().out
    assert run(monkeypatch, "vacuum", "opensearch://localhost/news") == 1
    assert "is not a SQLite file" in capsys.readouterr().err
    assert run(monkeypatch, "vacuum", "sqlite:///nosuch.db") == 1
    assert "nosuch.db" in capsys.readouterr().err
    assert not Path("nosuch.db").exists()
