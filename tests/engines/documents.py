"""Short ways to write the documents that engines are tested with."""

from __future__ import annotations

from collections.abc import Iterable

from dupgroups.engines import Engine
from dupgroups.model import Content, Document, Query, Record, Results, Signature


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
    title: str = "",
    text: str = "",
    date: str | None = None,
    language: str = "",
    url: str | None = None,
    site: str | None = None,
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
    )
    return Document(record, Content(text, title, date, language, url, site))


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
