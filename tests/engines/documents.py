"""Short ways to write documents for the engines that are tested, and to look at these."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from dupgroups.engines import Engine
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.engines.sqlite_rows import unpacked
from dupgroups.engines.sqlite_terms import terms_of
from dupgroups.engines.url import EngineURL
from dupgroups.model import Content, Document, Query, Record, Results, Signature, Tie


def document(
    id_: str,
    group: str | None = None,
    *,
    keys: Iterable[str] = (),
    scheme: str = "s1",
    body: bytes = b"",
    host: str = "example.org",
    seen: int = 1,
    last_seen: int | None = None,
    fingerprint: str = "",
    length: int = 0,
    canonical: bool = True,
    published: int | None = None,
    ties: tuple[Tie, ...] = (),
    scope: str = "",
    title: str = "",
    text: str = "",
    date: str | None = None,
    language: str = "",
    url: str | None = None,
    site: str | None = None,
    author: str = "",
    image: str | None = None,
) -> Document:
    """A document that stands alone unless a group is given."""
    record = Record(
        id=id_,
        group=group or id_,
        host=host,
        signature=Signature(scheme, tuple(keys), body),
        first_seen=seen,
        last_seen=seen if last_seen is None else last_seen,
        fingerprint=fingerprint,
        length=length,
        canonical=canonical,
        published=published,
        ties=ties,
    )
    content = Content(text, title, date, language, url, site, author=author, image=image, scope=scope)
    return Document(record, content)


def without_beginnings(path: Path) -> None:
    """Make a SQLite file what version 11 of the tables wrote: without beginnings and vocabulary."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("DROP TABLE beginnings")
        db.execute("DROP TABLE vocabulary")
        db.execute("PRAGMA user_version = 11")


def without_order(path: Path) -> None:
    """Make a SQLite file what version 10 of the tables wrote: without the indexes of lists and authors."""
    without_beginnings(path)
    with closing(sqlite3.connect(path)) as db:
        for index in ("document_newest", "document_site", "document_day"):
            db.execute(f"DROP INDEX {index}")
        db.execute("CREATE INDEX document_day ON document (day)")
        db.execute("DROP TABLE byline")
        db.execute("PRAGMA user_version = 10")


def with_bands(path: Path) -> None:
    """Make a SQLite file what version 8 of the tables wrote: keys as text, and copies of all terms."""
    with opened(path) as engine:
        terms = {stored.record.id: terms_of(stored) for stored in engine.scan()}
    without_order(path)
    with closing(sqlite3.connect(path)) as db:
        db.execute("DROP TABLE holder")
        db.execute("DROP TABLE text_index")
        db.execute("ALTER TABLE payload DROP COLUMN indexed")
        db.execute(
            """CREATE TABLE band (
                scheme INTEGER, key TEXT, doc INTEGER, PRIMARY KEY (scheme, key, doc)
            ) WITHOUT ROWID"""
        )
        db.execute(
            """INSERT OR IGNORE INTO band SELECT scheme, value, document.doc
            FROM document JOIN payload USING (doc) JOIN json_each(keys)"""
        )
        for id_, columns in terms.items():
            doc, text = db.execute(
                "SELECT doc, text FROM document JOIN payload USING (doc) WHERE id = ?", (id_,)
            ).fetchone()
            db.execute("UPDATE payload SET text = ? WHERE doc = ?", (unpacked(text), doc))
            db.execute(
                "INSERT INTO terms (rowid, title, text, stems, pairs) VALUES (?, ?, ?, ?, ?)", (doc, *columns)
            )
        db.execute("PRAGMA user_version = 8")
        db.commit()


def age(path: Path) -> None:
    """Make a SQLite file what version 1 of the tables wrote, before authors and pictures were kept."""
    with_bands(path)
    with closing(sqlite3.connect(path)) as db:
        db.execute("DROP INDEX document_head")
        db.execute("DROP INDEX document_day")
        db.execute("INSERT INTO words (rowid, title, text) SELECT rowid, title, text FROM terms")
        db.commit()
        db.execute("DROP TABLE terms")
        for column in ("author", "image", "length", "canonical", "head", "published", "scope", "day"):
            db.execute(f"ALTER TABLE document DROP COLUMN {column}")
        db.execute("ALTER TABLE payload DROP COLUMN ties")
        db.execute("DROP TABLE correction")
        db.execute("PRAGMA user_version = 1")
        db.execute("PRAGMA application_id = 0")


def signature(*keys: str, scheme: str = "s1") -> Signature:
    return Signature(scheme, keys)


def search(engine: Engine, text: str = "", **options: object) -> Results:
    """A search that sees everything written before."""
    engine.refresh()
    return engine.search(Query(text, **options))  # type: ignore[arg-type]


def found(engine: Engine, text: str = "", **options: object) -> list[str]:
    """Ids of the hits, in order; every document unless another mode is asked for."""
    results = search(engine, text, **{"mode": "all", "limit": 100, **options})
    return [hit.shown.id for hit in results.hits]


def ids(records: list[Record]) -> list[str]:
    return [record.id for record in records]


def groups(engine: Engine, *wanted: str) -> dict[str, list[str]]:
    return {group: ids(records) for group, records in engine.members(wanted).items()}


def ill(engine: Engine) -> list[str]:
    """Names of the checks that are not well."""
    return [check.name for check in engine.check() if not check.ok]


@contextmanager
def opened(path: Path, options: str = "") -> Iterator[SQLiteEngine]:
    """The SQLite engine over a file, closed at the end."""
    with closing(SQLiteEngine(EngineURL.parse(f"sqlite:///{path}{options}"))) as engine:
        yield engine
