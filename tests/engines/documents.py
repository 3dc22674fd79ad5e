"""Short ways to write documents for the engines that are tested, and to look at these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from dupgroups.engines import Engine
from dupgroups.engines.sqlite import SQLiteEngine
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
