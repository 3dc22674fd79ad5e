"""Changes of documents and groups in a SQLite file; they are part of the caller's transaction.

The full-text index keeps no copy of the terms of a document, nor does that of their beginnings. To take a
document out of it, FTS5 has to be given the terms that it was indexed by. They are made again from the stored
text, and a digest tells whether they are the same: another version of the stemmer, of the Chinese dictionary
or of Unicode may cut a word otherwise. If they are not, they stay in the index, under a number that no
document gets again, so that no search can find them.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import blake2b
from itertools import count
from operator import itemgetter
from typing import Any, NamedTuple

from dupgroups.engines.common import names_of
from dupgroups.engines.sqlite import schema as sql
from dupgroups.engines.sqlite.candidates import key_number
from dupgroups.engines.sqlite.row_codec import document_row, payload_row, unpack_text
from dupgroups.engines.sqlite.story_table import note_joined
from dupgroups.model import Document
from dupgroups.text.deltas import make_delta
from dupgroups.text.facts import add_title, join_title
from dupgroups.text.terms import SIGN, search_terms


def winner_of(db: sqlite3.Connection, group: str) -> str | None:
    """The group that a group was merged into; None if it was not merged."""
    row = db.execute("SELECT winner FROM redirect WHERE loser = ?", (group,)).fetchone()
    return row[0] if row else None


def scheme_numbers(db: sqlite3.Connection, names: Iterable[str]) -> dict[str, int]:
    """The number of every scheme; new names get a number."""
    db.executemany("INSERT OR IGNORE INTO scheme (name) VALUES (?)", [(name,) for name in sorted(names)])
    return dict(db.execute("SELECT name, number FROM scheme"))


def store(
    db: sqlite3.Connection, documents: Mapping[str, tuple[Document, Terms]], schemes: Mapping[str, int]
) -> None:
    """Write documents, by id, each with its terms, replacing what is stored under their ids. `schemes`: the
    number of each scheme. One statement for each table.
    """
    numbers, rows = _numbers(db, documents), defaultdict[str, list[tuple[Any, ...]]](list)
    for id_, (document, words) in documents.items():
        doc, signature = numbers[id_], document.record.signature
        scheme = schemes[signature.scheme]
        rows[sql.INSERT_DOCUMENT].append(document_row(doc, document, scheme))
        rows[sql.INSERT_PAYLOAD].append(payload_row(doc, document, words.digest))
        rows[sql.INSERT_HOLDER] += ((scheme, key_number(key), doc) for key in signature.keys)
        rows[sql.INSERT_BYLINE] += ((name, doc) for name in names_of(document.content.author))
        rows[sql.INSERT_TERMS].append((doc, *words.columns))
        rows[sql.INSERT_BEGINNINGS].append((doc, words.beginnings))
    rows[sql.INSERT_HOLDER].sort()  # in the order of the table
    for statement, values in rows.items():
        db.executemany(statement, values)
    note_joined(db, [(numbers[id_], document.record) for id_, (document, _) in documents.items()])


def _numbers(db: sqlite3.Connection, documents: Mapping[str, tuple[Document, Terms]]) -> dict[str, int]:
    """The numbers under which these documents are written: those that they had, or new ones."""
    freed = {id_: forget(db, id_, document) for id_, (document, _) in documents.items()}
    used = [doc for doc in freed.values() if doc is not None]
    unused = count(max(db.execute(sql.SELECT_LAST).fetchone()[0], *used, 0) + 1)
    return {id_: next(unused) if doc is None else doc for id_, doc in freed.items()}


def forget(db: sqlite3.Connection, id_: str, later: Document | None = None) -> int | None:
    """Delete a document from every table; returns its number if it can be used again, None if it cannot or if
    the document was unknown. What it said before is kept only of one that is replaced, by `later`.
    """
    if later is None:
        db.execute(sql.FORGET_REVISIONS, (id_,))
    stored = db.execute(sql.SELECT_KNOWN, (id_,)).fetchone()
    if stored is None:
        return None
    doc, scheme, keys, indexed, title, packed, language, author = stored
    text = unpack_text(packed)
    if later and (title, text) != (later.content.title, later.content.text):
        _keep_revision(db, later, join_title(title, text))
    db.executemany(sql.FORGET_HOLDER, [(scheme, key_number(key), doc) for key in json.loads(keys)])
    db.executemany(sql.FORGET_BYLINE, [(name, doc) for name in names_of(author)])
    for statement in sql.FORGET:
        db.execute(statement, (doc,))
    now = terms(title, text, language)
    if now.digest != indexed:  # its number must not be used again
        return None
    db.execute(sql.FORGET_TERMS, (doc, *now.columns))
    db.execute(sql.FORGET_BEGINNINGS, (doc, now.beginnings))
    return int(doc)


def _keep_revision(db: sqlite3.Connection, later: Document, earlier: str) -> None:
    now = add_title(later.content)
    row = {"id": later.record.id, "at": later.record.last_seen, "delta": make_delta(now, earlier)}
    db.execute(sql.INSERT_REVISION, row)
    db.execute(sql.FORGET_OLD_REVISIONS, row)


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


LETTERS = range(2, 5)  # at the beginning of a word, that are indexed
_most_letters = itemgetter(slice(LETTERS[-1]))


class Terms(NamedTuple):
    """The search terms of a document: the columns of the index (words of the title, words of the text, stems,
    pairs), and the beginnings of words and stems; pairs have none, as a star does not follow them.
    """

    columns: tuple[str, ...]
    beginnings: str

    @property
    def digest(self) -> bytes:
        """8 bytes that differ for other terms."""
        return blake2b("\0".join(self.columns).encode("utf-8", "surrogatepass"), digest_size=8).digest()


def terms(title: str, text: str, language: str) -> Terms:
    """The words of title and text, their stems, and their pairs, as they are searched."""
    above, below = (search_terms(field, language) for field in (title, text))
    words, stems = above.words + below.words, [*dict.fromkeys(above.stems + below.stems)]
    # the weights of columns are those of words: pairs in the title count as much by occurring three times
    fields = (above.words, below.words, stems, above.pairs * 3 + below.pairs)
    starts = {*map(_most_letters, {*words, *stems})}
    return Terms(tuple(map(" ".join, fields)), " ".join(map(_beginnings, starts)))


@lru_cache(1 << 16)  # most words begin as those of other documents do
def _beginnings(start: str) -> str:
    """The first two, three and four letters of what a word or stem starts with."""
    letters = start.partition(SIGN)[0]
    return " ".join([letters[:size] for size in LETTERS if size <= len(letters)])
