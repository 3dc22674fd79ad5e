"""Short ways to write documents for the engines that are tested, and to look at these."""

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

from dupgroups.engines import Engine
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.engines.url import EngineURL
from dupgroups.model import Content, Document, Query, Record, Results, Signature

RECORD = {field.name for field in fields(Record)}


def document(
    id_: str,
    group: str | None = None,
    *,
    keys: Iterable[str] = (),
    scheme: str = "s1",
    body: bytes = b"",
    host: str = "example.org",
    seen: int = 1,
    text: str = "",
    **values: Any,
) -> Document:
    """A document that stands alone unless a group is given; other `values` are of its record or content."""
    of_record = {"last_seen": seen, "length": 1} | {name: values.pop(name) for name in values.keys() & RECORD}
    record = Record(id_, group or id_, host, Signature(scheme, tuple(keys), body), seen, **of_record)
    return Document(record, Content(text, **values))


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
