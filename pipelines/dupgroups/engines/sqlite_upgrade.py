"""Bring the tables of a SQLite file up to date, in the transaction of the caller: all of it or nothing."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable

from dupgroups.engines import sqlite_schema as sql
from dupgroups.engines.sqlite_lookup import key_number
from dupgroups.engines.sqlite_rows import unpacked
from dupgroups.engines.sqlite_terms import beginnings, terms

LARGE = 100_000  # documents from which an update is reported
_CHUNK = 100_000  # rows between two reports, and in memory
_TEXTS = 10_000  # documents whose texts are in memory

log = logging.getLogger(__name__)


def upgrade(db: sqlite3.Connection, version: int, name: str) -> None:
    """Apply the steps after `version` (0 for a new file). `name` is for the reports on large files."""
    report = _announce(db, name) if 0 < version < sql.VERSION else log.debug
    for step in sql.STEPS[version:]:
        if step == sql.NO_BANDS:
            _number_keys(db, name, report)
        for statement in filter(str.strip, step.split(";")):
            db.execute(statement)
        if step == sql.BEGINNINGS:
            _find_beginnings(db, name, report)
    db.execute(f"PRAGMA user_version = {sql.VERSION}")
    db.execute(f"PRAGMA application_id = {sql.APPLICATION_ID}")


def _announce(db: sqlite3.Connection, name: str) -> Callable[..., None]:
    """Report that a file is updated; returns how further reports are made."""
    documents = db.execute("SELECT count(*) FROM document").fetchone()[0]
    report = log.warning if documents >= LARGE else log.debug
    report("Updating %s, once: %s documents; if it is interrupted, nothing is lost", name, f"{documents:,}")
    return report


def _number_keys(db: sqlite3.Connection, name: str, report: Callable[..., None]) -> None:
    """Copy the keys of an earlier version from `band`, as numbers."""
    total = db.execute("SELECT count(*) FROM band").fetchone()[0]
    rows = db.execute("SELECT scheme, key, doc FROM band ORDER BY scheme, key, doc")
    done = 0
    while chunk := rows.fetchmany(_CHUNK):
        db.executemany(
            sql.INSERT_HOLDER, sorted((scheme, key_number(key), doc) for scheme, key, doc in chunk)
        )
        done += len(chunk)
        report("Updating %s: %.0f %% of the keys", name, 100 * done / total)


def _find_beginnings(db: sqlite3.Connection, name: str, report: Callable[..., None]) -> None:
    """Index the beginnings of the words of all documents that are in the index of words."""
    after, done, total = 0, 0, db.execute(sql.COUNT_INDEXED).fetchone()[0]
    while rows := db.execute(sql.INDEXED, (after, _TEXTS)).fetchall():
        found = ((doc, terms(title, unpacked(text), language)) for doc, title, text, language in rows)
        db.executemany(sql.INSERT_BEGINNINGS, ((doc, beginnings(columns)) for doc, columns in found))
        after, done = rows[-1][0], done + len(rows)
        if done % _CHUNK == 0 or done == total:
            report("Updating %s: %.0f %% of the beginnings of words", name, 100 * done / total)
