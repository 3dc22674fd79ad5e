"""Give space back to the disk: documents of earlier versions are written anew, and the file is put in order.

Each batch is a transaction, and so is what follows, so it can be interrupted at any time and started again.
"""

from __future__ import annotations

from collections.abc import Callable

from dupgroups.engines import sqlite_schema as sql
from dupgroups.engines.sqlite_connection import SQLiteConnection
from dupgroups.engines.sqlite_rows import packed, unpacked
from dupgroups.engines.sqlite_terms import digest, put_in, terms

_BATCH = 500  # documents of a transaction


def old_documents(connection: SQLiteConnection) -> int:
    """The number of documents that earlier versions stored, which `compact` writes anew."""
    with connection.transaction() as db:
        return int(db.execute(sql.WITH_COPIES).fetchone()[0])


def compact(connection: SQLiteConnection, progress: Callable[[int], None] = lambda documents: None) -> None:
    """Give the space of what was deleted, or stored by earlier versions, back to the disk.

    `progress` gets the size of each batch of `old_documents`. Raises EngineError, and loses nothing, if
    another process keeps the file locked, or if the disk has no space for a second copy of the file.
    """
    while written := _without_copies(connection):
        progress(written)
    with connection.transaction("IMMEDIATE") as db:  # it still has a mark for each term that was taken out
        db.execute("INSERT INTO terms (terms) VALUES ('rebuild')")
    _without_orphans(connection)
    connection.vacuum()


def _without_copies(connection: SQLiteConnection) -> int:
    """Move some documents from the table with copies of their terms; returns how many."""
    with connection.transaction("IMMEDIATE") as db:
        rows = db.execute(sql.COPIES_OF_TERMS, (_BATCH,)).fetchall()
        put_in(db, [(doc, columns) for doc, _, *columns in rows])
        db.executemany(sql.FORGET_COPIES[0], [(doc,) for doc, *_ in rows])
        db.executemany(
            sql.PACK, [(packed(unpacked(text)), digest(columns), doc) for doc, text, *columns in rows]
        )
    return len(rows)


def _without_orphans(connection: SQLiteConnection) -> None:
    """Index all documents anew if there are terms of documents that are gone (see `sqlite_terms`)."""
    with connection.transaction("IMMEDIATE") as db:
        if not db.execute(sql.ORPHANS).fetchone()[0]:
            return
        for statement in sql.EMPTY:
            db.execute(statement)
        after = 0
        while rows := db.execute(sql.INDEXED, (after, _BATCH)).fetchall():
            found = [(doc, terms(title, unpacked(text), language)) for doc, title, text, language in rows]
            put_in(db, found)
            db.executemany(sql.SET_INDEXED, [(digest(columns), doc) for doc, columns in found])
            after = rows[-1][0]
