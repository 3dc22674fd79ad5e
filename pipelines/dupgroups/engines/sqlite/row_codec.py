"""Rows of a SQLite file to objects and back."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from typing import Any

from dupgroups.engines.common import lines_of_ties, ties_of_lines
from dupgroups.model import Content, Correction, Document, Record, Signature
from dupgroups.text.iso_dates import day_of

RECORD_COLUMNS = 14  # the first columns of every row that holds a record


def record_of(row: Sequence[Any]) -> Record:
    """The record in the first columns of a row (`_RECORD` of the schema)."""
    id_, group, host, scheme, keys, body, *rest = row[:RECORD_COLUMNS]
    first_seen, last_seen, fingerprint, length, canonical, published, ties, head = rest
    signature = Signature(scheme, tuple(json.loads(keys)), body)
    figures = (first_seen, last_seen, fingerprint, length, bool(canonical), published)
    return Record(id_, group, host, signature, *figures, ties_of_lines(json.loads(ties)), bool(head))


def document_of(row: Sequence[Any]) -> Document:
    """The document of a row (`_DOCUMENT` of the schema)."""
    text, *parts = row[RECORD_COLUMNS:]
    return Document(record_of(row), Content(unpack_text(text), *parts))


def pack_text(text: str) -> str | bytes:
    """A text as it is stored: compressed, or as it is where that is not shorter."""
    encoded = text.encode()
    compressed = zlib.compress(encoded, 1)  # of short texts, more effort saves one percent
    return compressed if len(compressed) < len(encoded) else text


def unpack_text(stored: str | bytes) -> str:
    """The text that was stored."""
    return stored if isinstance(stored, str) else zlib.decompress(stored).decode()


def correction_of(row: Sequence[Any]) -> Correction:
    """The entry of a row of `CORRECTIONS`."""
    number, kind, named, by, at, undoes, carried_out = row
    names = tuple(json.loads(named))
    ids = {"keep-apart": 2, "keep-together": 2, "frame": len(names) - 1}.get(kind, len(names))
    return Correction(number, kind, names[:ids], by, at, undoes, bool(carried_out), names[ids:])


def correction_row(entry: Correction) -> tuple[Any, ...]:
    """The row of an entry; the marks of a pair, and the runs of a frame, stand after the ids."""
    ids = json.dumps([*entry.ids, *entry.marks])
    return (entry.number, entry.kind, ids, entry.by, entry.at, entry.undoes, entry.carried_out)


def document_row(doc: int, document: Document, scheme: int) -> tuple[Any, ...]:
    """The row of a document in the table `document`."""
    record, content = document.record, document.content
    seen = (record.first_seen, record.last_seen, record.fingerprint, scheme)
    shown = (content.title, content.url, content.site, content.date, content.language)
    kept = (content.author, content.image, record.length, record.canonical, record.is_head)
    later = (record.published, content.scope, day_of(content.date), content.source, content.owner)
    return (doc, record.id, record.group, record.host, *seen, *shown, *kept, *later)


def payload_row(doc: int, document: Document, indexed: bytes) -> tuple[Any, ...]:
    """Its row in the table `payload`; `indexed` is the digest of its terms."""
    record, content = document.record, document.content
    keys = record.signature.keys
    body = record.signature.body
    ties = lines_of_ties(record.ties)
    text = pack_text(content.text)
    return doc, json.dumps(keys), body, content.article, text, json.dumps(ties), indexed
