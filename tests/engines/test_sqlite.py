"""What only the SQLite engine promises: crashes, locks, disks and files that are not what they should be."""

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from dupgroups.engines import open_engine
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.errors import ConfigError, EngineError
from dupgroups.model import Query
from engines.documents import document, found, ill, opened, search, signature
from processes import environment

# -- crashes

WRITER = """
import sys
from dupgroups.engines import open_engine
from engines.documents import document
engine = open_engine(sys.argv[1])
for n in range(300):  # documents that a search still counts, if it is killed late
    # each batch moves the whole group of the former one, and stores thirty documents
    new = f"g{n:05}"
    names = [new, *(f"{new}-{i:02}" for i in range(1, 30))]
    batch = [document(name, new, keys=[f"k{i}", new], text=f"water {new}") for i, name in enumerate(names)]
    engine.put(batch, moves={f"g{n - 1:05}": new} if n else {})
    print(n, flush=True)
"""


def kill_after(path: Path, batches: int, pause: float) -> int:
    """Kill a writing process some time after it reported so many batches; the last batch reported."""
    command = [sys.executable, "-c", WRITER, f"sqlite:///{path}"]
    writer = subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, text=True)
    assert writer.stdout
    for _ in range(batches):
        writer.stdout.readline()
    time.sleep(pause)
    os.kill(writer.pid, signal.SIGKILL)
    rest = writer.stdout.read().split()
    writer.wait()
    return int(rest[-1]) if rest else batches - 1


@pytest.mark.parametrize("attempt", range(2))
def test_a_killed_writer_leaves_whole_batches(path: Path, attempt: int) -> None:
    last = kill_after(path, batches=2 + 3 * attempt, pause=0.0013 * (attempt + 1))
    with opened(path) as engine:
        assert ill(engine) == []
        records = [stored.record for stored in engine.scan()]
        assert len(records) % 30 == 0
        batches = len(records) // 30
        assert batches >= last + 1  # what was reported is there
        assert {record.group for record in records} == {f"g{batches - 1:05}"}  # and no half move
        assert engine.resolve(["g00000"]) == {"g00000": f"g{batches - 1:05}"}
        assert search(engine, "water").documents == len(records)
        engine.put([document("after", keys=["k1"])])
        assert len(engine.candidates([signature("k1")], limit=1000)[0]) == min(1000, batches + 1)


def test_of_a_key_that_a_crowd_holds_the_first_holders_are_met(path: Path) -> None:
    """What a look-up costs does not grow with a group."""
    with opened(path) as engine:
        engine.put([document(f"{number:02}", keys=["1"]) for number in reversed(range(20))])
        engine.put([document("0", keys=["1", "2"])])
        crowded, spread = engine.candidates([signature("1"), signature("1", "2")], limit=2)
        assert [record.id for record in crowded] == ["12", "13"]  # of the eight that came first
        assert [record.id for record in spread] == ["0", "12"]  # the other key is not crowded


def test_an_error_in_a_batch_leaves_nothing_of_it(path: Path) -> None:
    with opened(path) as engine:
        engine.put([document("a"), document("b")])
        bad = document("c", keys=["k"], seen=2**70)  # an age that SQLite cannot hold
        with pytest.raises(OverflowError):
            engine.put([document("d", "b"), bad], moves={"a": "b"})
        assert sorted(engine.get(["a", "b", "c", "d"])) == ["a", "b"]
        assert engine.resolve(["a"]) == {"a": "a"}
        engine.put([document("d")])
        assert ill(engine) == []


# -- locks and other processes


def test_a_locked_file_is_a_temporary_error_after_a_bounded_wait(path: Path) -> None:
    with opened(path, "?timeout=0.05") as engine, closing(sqlite3.connect(path)) as other:
        engine.put([document("a")])
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(EngineError, match=r"another process .* try again") as raised:
            engine.put([document("b")])
        assert raised.value.temporary
        assert list(engine.get(["a", "b"])) == ["a"]  # readers never wait
        other.rollback()
        engine.put([document("b")])
        assert sorted(engine.get(["a", "b"])) == ["a", "b"]


def test_any_thread_may_call(path: Path) -> None:
    with opened(path) as engine, ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda n: engine.put([document(f"d{n}", keys=["k"], text="water")]), range(40)))
        counts = list(threads.map(lambda n: search(engine, "water").documents, range(20)))
        assert counts == [40] * 20
        assert len(engine.candidates([signature("k")], limit=100)[0]) == 40


# -- disks


@contextmanager
def _read_only(path: Path) -> Iterator[None]:
    """Neither the file nor its directory can be written to; not by root either, who steps down."""
    user = os.geteuid()
    path.chmod(0o444)
    path.parent.chmod(0o555)
    try:
        os.seteuid(user or 65534)
        yield
    finally:
        os.seteuid(user)
        path.parent.chmod(0o755)
        path.chmod(0o644)


@pytest.fixture
def public_path() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as directory:  # not tmp_path: its parents are closed to others
        Path(directory).chmod(0o755)
        yield Path(directory) / "news.db"


def test_a_read_only_file_is_read_and_writing_is_an_error_that_says_what_to_do(public_path: Path) -> None:
    url = f"sqlite:///{public_path}"
    with opened(public_path) as engine:
        engine.put([document("a", text="water")])
        engine.search(Query("water"))  # loads what the other user may not read
        with _read_only(public_path), open_engine(url, must_exist=True) as beside_a_writer:
            assert beside_a_writer.search(Query("water")).documents == 1
    with _read_only(public_path):
        with open_engine(url, must_exist=True) as alone:
            assert alone.search(Query("water")).documents == 1
            with pytest.raises(EngineError, match=f"{public_path}.*writ"):
                alone.put([document("b")])
        with pytest.raises((ConfigError, EngineError), match=f"{public_path}.*writ"):
            open_engine(url).put([document("b")])
    with opened(public_path) as engine:
        assert sorted(engine.get(["a", "b"])) == ["a"]


# -- words that begin so


TEXTS = {
    "a": "flood fire",
    "b": "floors firm",
    "c": "flow",
    "d": "café fire",
    "e": "cafeteria fi",
    "h": "北京 flow",
}
FINDS = {"floo*": "ab", "caf*": "de", "café*": "d", "flo* fir*": "ab", "flo* fire": "a", "flo* -fire": "bch"}
FINDS |= {"cafe*": "de", "fire -flo*": "d", "flo* -firm -fi*": "ch", "flo* OR fir*": "abcdh", "北* flo*": "h"}


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


# -- searches that are kept


WRITES: dict[str, Callable[[SQLiteEngine], None]] = {
    "put": lambda engine: engine.put([document("d", title="Ferry d")]),
    "touch": lambda engine: engine.touch(["c"], 2**60),
    "delete": lambda engine: engine.delete(["b"]),
    "merge": lambda engine: engine.put([], moves={"b": "a"}),
}


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("who", ["itself", "another process"])
def test_who_searches_after_a_write_sees_it(path: Path, write: str, who: str) -> None:
    """What was found is kept for the same search, and never longer than it is true."""
    with opened(path) as engine, opened(path) as other:
        engine.put([document(id_, title=f"Ferry {id_}") for id_ in ("a", "b", "c")])
        before = engine.search(Query("ferry"))
        WRITES[write](engine if who == "itself" else other)
        with opened(path) as fresh:
            assert engine.search(Query("ferry")) == fresh.search(Query("ferry")) != before
