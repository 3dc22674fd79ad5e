"""Convert documents to rows of a SQLite file and back; changes are part of the caller's transaction."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dupgroups.engines import sqlite_schema as sql
from dupgroups.engines.common import lines_of_ties, ties_of_lines
from dupgroups.engines.dates import day_of
from dupgroups.grouping.key_index import crowd
from dupgroups.model import Content, Correction, Document, Record, Signature
from dupgroups.text.terms import search_terms

RECORD_COLUMNS = 14  # the first columns of every row that holds a record

# -- rows to objects


def record_of(row: Sequence[Any]) -> Record:
    """The record in the first columns of a row (`_RECORD` of the schema)."""
    id_, group, host, scheme, keys, body, *rest = row[:RECORD_COLUMNS]
    first_seen, last_seen, fingerprint, length, canonical, published, ties, head = rest
    signature = Signature(scheme, tuple(json.loads(keys)), body)
    known = (first_seen, last_seen, fingerprint, length, bool(canonical), published)
    return Record(id_, group, host, signature, *known, ties_of_lines(json.loads(ties)), bool(head))


def document_of(row: Sequence[Any]) -> Document:
    """The document of a row (`_DOCUMENT` of the schema)."""
    return Document(record_of(row), Content(*row[RECORD_COLUMNS:]))


def candidates_of(
    db: sqlite3.Connection, scheme: int | None, signature: Signature, limit: int
) -> list[Record]:
    """Records that share a key of the scheme, most keys first; [] for an unknown scheme or no keys."""
    if scheme is None or not signature.keys:
        return []
    asked = {"scheme": scheme, "keys": json.dumps(signature.keys), "limit": limit, "crowd": crowd(limit)}
    rows = db.execute(sql.CANDIDATES, asked)
    return [record_of(row) for row in rows]


def correction_of(row: Sequence[Any]) -> Correction:
    """The entry of a row of `CORRECTIONS`."""
    number, kind, ids, by, at, undoes, before, after = row
    sizes = json.loads(after) if after else None
    return Correction(number, kind, tuple(json.loads(ids)), by, at, undoes, json.loads(before), sizes)


def correction_row(entry: Correction) -> tuple[Any, ...]:
    """The row of an entry."""
    after = None if entry.after is None else json.dumps(entry.after)
    ids, before = json.dumps(entry.ids), json.dumps(entry.before)
    return (entry.number, entry.kind, ids, entry.by, entry.at, entry.undoes, before, after)


def winner_of(db: sqlite3.Connection, group: str) -> str | None:
    """The group that a group was merged into; None if it was not merged."""
    row = db.execute("SELECT winner FROM redirect WHERE loser = ?", (group,)).fetchone()
    return row[0] if row else None


# -- objects to rows


def terms_of(document: Document) -> tuple[str, str, str, str]:
    """The words of title and text, their stems, and their pairs, as they are searched."""
    content = document.content
    title, text = (search_terms(field, content.language) for field in (content.title, content.text))
    # the weights of columns are those of words: pairs in the title count as much by occurring three times
    columns = (title.words, text.words, title.stems + text.stems, title.pairs * 3 + text.pairs)
    return (" ".join(columns[0]), " ".join(columns[1]), " ".join(columns[2]), " ".join(columns[3]))


def scheme_numbers(db: sqlite3.Connection, names: Iterable[str]) -> dict[str, int]:
    """The number of every scheme; new names get a number."""
    db.executemany("INSERT OR IGNORE INTO scheme (name) VALUES (?)", [(name,) for name in sorted(names)])
    return dict(db.execute("SELECT name, number FROM scheme"))


def store(db: sqlite3.Connection, document: Document, terms: Sequence[str], scheme: int) -> None:
    """Write a document, replacing an older one with its id; `terms` is `terms_of(document)`."""
    record, content = document.record, document.content
    doc = forget(db, record.id)
    seen = (record.first_seen, record.last_seen, record.fingerprint)
    shown = (content.title, content.url, content.site, content.date, content.language)
    known = (doc, record.id, record.group, record.host, *seen, scheme)
    kept = (content.author, content.image, record.length, record.canonical, record.is_head)
    row = (*known, *shown, *kept, record.published, content.scope, day_of(content.date))
    doc = db.execute(sql.INSERT_DOCUMENT, row).lastrowid
    keys, body = record.signature.keys, record.signature.body
    ties = json.dumps(lines_of_ties(record.ties))
    db.execute(sql.INSERT_PAYLOAD, (doc, json.dumps(keys), body, content.article, content.text, ties))
    db.executemany(sql.INSERT_BAND, [(scheme, key, doc) for key in keys])
    db.execute(sql.INSERT_TERMS, (doc, *terms))


def forget(db: sqlite3.Connection, id_: str) -> int | None:
    """Delete a document from every table; returns its number, or None if it was unknown."""
    known = db.execute(sql.KNOWN, (id_,)).fetchone()
    if known is None:
        return None
    doc, scheme, keys = known
    db.executemany(sql.FORGET_BAND, [(scheme, key, doc) for key in json.loads(keys)])
    for statement in sql.FORGET:
        db.execute(statement, (doc,))
    return int(doc)


def end_redirects(db: sqlite3.Connection, names: Iterable[str]) -> None:
    """Delete the redirects of these groups, which exist again."""
    db.executemany("DELETE FROM redirect WHERE loser = ?", [(group,) for group in names])


def move(db: sqlite3.Connection, moves: Mapping[str, str], heads: Mapping[str, str]) -> None:
    """Relabel the members of groups, of which one is in `heads` or names its group, and add redirects."""
    rows = [(loser, winner, heads.get(winner, winner)) for loser, winner in moves.items()]
    db.executemany("INSERT INTO move VALUES (?, ?, ?)", rows)
    for statement in sql.MOVE if moves else ():
        db.execute(statement)


def label(db: sqlite3.Connection, labels: Mapping[str, str], heads: Mapping[str, str]) -> None:
    """Set the groups of single documents, and whether they are the heads; unknown ids are ignored."""
    rows = [(group, heads.get(group, group) == id_, id_) for id_, group in labels.items()]
    db.executemany("UPDATE document SET grp = ?, head = ? WHERE id = ?", rows)
