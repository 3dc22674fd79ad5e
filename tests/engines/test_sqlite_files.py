"""SQLite files that are missing, damaged, another's or newer; opening, closing, checking."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import pytest

from dupgroups.engines import open_engine
from dupgroups.engines.sqlite.schema import SCHEMA_VERSION, TABLES
from dupgroups.errors import ConfigError, EngineError
from engines.documents import document, ill, opened


def test_who_only_reads_makes_no_file(path: Path) -> None:
    url = f"sqlite:///{path}"
    with pytest.raises(ConfigError, match=rf"there is no file {path}"):
        open_engine(url, must_exist=True)
    assert list(path.parent.iterdir()) == []
    with opened(path) as engine:
        engine.put([document("a")])
    with closing(open_engine(url, must_exist=True)) as engine:
        assert set(engine.get(["a"])) == {"a"}


def test_a_path_is_where_it_was_opened_whatever_signs_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "a%3Fb?mode=ro#c &新.db"
    monkeypatch.chdir(tmp_path)
    with closing(open_engine(f"sqlite:///{quote(name)}")) as engine:
        monkeypatch.chdir("/")
        engine.put([document("a")])
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_a_path_where_no_database_is_or_can_be(path: Path) -> None:
    with pytest.raises(ConfigError, match="directory that exists"):
        open_engine(f"sqlite:///{path.parent}/missing/news.db")
    with pytest.raises(ConfigError, match="must be a file"):
        open_engine(f"sqlite:///{path.parent}")
    path.write_text("id,group\n" * 1000)
    with pytest.raises(ConfigError, match="not a SQLite database"):
        open_engine(f"sqlite:///{path}")
    assert path.read_text() == "id,group\n" * 1000


FOREIGN = {
    "any": "CREATE TABLE theirs (x)",
    "our version number": f"CREATE TABLE document (id TEXT); PRAGMA user_version = {SCHEMA_VERSION}",
    "our version number and no table": f"PRAGMA user_version = {SCHEMA_VERSION}",
    "our tables": f"{TABLES}; PRAGMA application_id = 0",
    "a high version number": "CREATE TABLE theirs (x); PRAGMA user_version = 99",
    "write-ahead log": "PRAGMA journal_mode = WAL; CREATE TABLE document (id TEXT)",
}
OF_ANOTHER_VERSION = {
    f"version {version}": f"{TABLES}; PRAGMA user_version = {version}"
    for version in (SCHEMA_VERSION - 1, SCHEMA_VERSION + 1)
}


@pytest.mark.parametrize("must_exist", [False, True])
@pytest.mark.parametrize("kind", [*FOREIGN, *OF_ANOTHER_VERSION])
def test_a_database_that_is_foreign_or_of_another_version_is_left_alone(
    path: Path, kind: str, must_exist: bool
) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.executescript((FOREIGN | OF_ANOTHER_VERSION)[kind])
    before = path.read_bytes()
    sentence = "is the database of another program: name another"
    if kind in OF_ANOTHER_VERSION:
        sentence = rf".*another version of dup-groups \({kind} of its tables"
    with pytest.raises(ConfigError, match=rf"^sqlite:///\S+ {sentence}"):
        open_engine(f"sqlite:///{path}", must_exist=must_exist)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_a_damaged_file_is_noticed(path: Path) -> None:
    with opened(path) as engine:
        engine.put([document(f"d{n}", keys=[f"k{n}"], text="water " * 50) for n in range(500)])
    data = bytearray(path.read_bytes())
    for page in range(60, len(data) // 4096, 3):
        data[page * 4096 : page * 4096 + 200] = b"\xaa" * 200
    path.write_bytes(data)
    with opened(path) as engine, pytest.raises(EngineError, match="damaged: restore it"):
        engine.check()


@pytest.mark.parametrize(
    "url",
    ["sqlite://", "sqlite:///", "sqlite://news.db", "sqlite:///x.db?timout=3",
     *(f"sqlite:///x.db?timeout={text}" for text in ("soon", "nan", "-1", "0", "inf", "-inf", "1e300", ""))],
)  # fmt: skip
def test_a_url_that_makes_no_sense(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    sentence = r"three slashes|known: timeout|timeout=.*: give a number from 0.001 to 86400"
    with pytest.raises(ConfigError, match=sentence):
        open_engine(url)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("damage", "name", "advice"),
    [
        ("UPDATE document SET grp = ''", "groups", "2 documents without a group: run dup-groups backfill"),
        (
            "UPDATE document SET grp = 'nobody'",
            "main copies",
            "1 groups without the document that names them",
        ),
        (
            "INSERT INTO redirect VALUES ('x', 'y'), ('y', 'x')",
            "redirects",
            "2 redirects that lead to another",
        ),
        ("INSERT INTO text_index (text_index) VALUES ('delete-all')", "words", "documents"),
    ],
)
def test_check_names_what_is_wrong_and_gives_advice_only_then(
    path: Path, damage: str, name: str, advice: str
) -> None:
    with opened(path) as engine:
        engine.put([document("a", text="water"), document("b", "a")])
    with opened(path) as engine:
        assert ill(engine) == []
        said = " ".join(check.detail for check in engine.check())
        assert not re.search(r"\b0\b|run|without|expected", said)
    with closing(sqlite3.connect(path)) as db:
        db.execute(damage)
        db.commit()
    with opened(path) as engine:
        assert advice in {check.name: check.detail for check in engine.check() if not check.ok}[name]
