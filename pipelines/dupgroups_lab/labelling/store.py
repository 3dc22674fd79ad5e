"""The file of a labelling project: one SQLite database with the documents, the items and all answers.

Assessors read the texts that are in this file, so an index that changes meanwhile does not change what they
judge. The file also holds the tokens of the page, so only its owner may read it.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, astuple, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from dupgroups.errors import InputError
from dupgroups_lab.labelling.board import Board
from dupgroups_lab.labelling.model import Answer, Item, Rules, Shown

SCHEMA_VERSION = 1
_TIMEOUT_SECONDS = 10.0  # seconds that a writer waits for another one
_SCHEMA = """
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE document (
    id TEXT PRIMARY KEY, text TEXT, title TEXT, language TEXT, url TEXT, site TEXT, date TEXT
);
CREATE TABLE item (
    key TEXT PRIMARY KEY, phase TEXT, a TEXT, b TEXT, jaccard REAL, known TEXT
);
CREATE TABLE answer (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    item TEXT NOT NULL, assessor TEXT NOT NULL, answer TEXT NOT NULL,
    UNIQUE (item, assessor)
);
"""


class LabelStore:
    """Reads and writes the file; every call opens it anew, so threads and processes can share it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def create(
        cls, path: Path, rules: Rules, documents: Iterable[Shown], items: Iterable[Item]
    ) -> LabelStore:
        """A new file with these documents and items. Raises InputError if it cannot be written."""
        try:
            path.touch(0o600, exist_ok=False)
        except FileExistsError as error:
            raise InputError(f"{path} exists already: name another file for new pairs") from error
        except OSError as error:
            raise InputError(f"{path} cannot be written: {error.strerror or error}") from error
        store = cls(path)
        try:
            store._fill(rules, documents, items)
        except BaseException:
            path.unlink()  # half a project could not be told from a whole one
            raise
        return store

    @classmethod
    def open(cls, path: Path) -> LabelStore:
        """The file that is there. Raises InputError if it is not a labelling project of this version."""
        store = cls(path)
        version = store._setting("version")
        if version != SCHEMA_VERSION:
            raise InputError(f"{path} was written by another version of dup-groups: use that one to label")
        return store

    def rules(self) -> Rules:
        """The rules that the items were drawn for."""
        return Rules(**self._setting("rules"))

    def secrets(self) -> tuple[str, str, str]:
        """The token of the lead, the token of assessors, and the secret that signs their cookies."""
        lead, assessor, cookies = self._setting("secrets")
        return lead, assessor, cookies

    def board(self) -> Board:
        """All items and answers."""
        rules, items = self._drawn
        with self._open() as connection:
            asked = "SELECT item, assessor, answer FROM answer ORDER BY number"
            answers = [Answer(*row) for row in connection.execute(asked)]
        return Board(items, answers, rules)

    @cached_property
    def _drawn(self) -> tuple[Rules, dict[str, Item]]:
        """The rules and the items by key, which never change."""
        with self._open() as connection:
            items = [Item(*row) for row in connection.execute("SELECT * FROM item")]
        return self.rules(), {item.key: item for item in items}

    def documents(self, ids: Sequence[str]) -> dict[str, Shown]:
        """The documents of these ids."""
        with self._open() as connection:
            rows = [
                connection.execute("SELECT * FROM document WHERE id = ?", (id_,)).fetchone() for id_ in ids
            ]
        return {row[0]: Shown(*row) for row in rows if row}

    def all_documents(self) -> list[Shown]:
        """All documents, by id."""
        with self._open() as connection:
            return [Shown(*row) for row in connection.execute("SELECT * FROM document ORDER BY id")]

    def answer(self, item: str, assessor: str, answer: str) -> bool:
        """Store an answer; False if this assessor has answered the item already, which is not changed."""
        with self._open() as connection:
            row = (item, assessor, answer)
            given = connection.execute(
                "INSERT OR IGNORE INTO answer (item, assessor, answer) VALUES (?, ?, ?)", row
            )
            return given.rowcount == 1

    def undo(self, assessor: str) -> str | None:
        """Take back the last answer of an assessor; the item, or None without an answer."""
        with self._open() as connection:
            last = "SELECT number, item FROM answer WHERE assessor = ? ORDER BY number DESC LIMIT 1"
            row = connection.execute(last, (assessor,)).fetchone()
            if row is None:
                return None
            connection.execute("DELETE FROM answer WHERE number = ?", row[:1])
            return str(row[1])

    def _fill(self, rules: Rules, documents: Iterable[Shown], items: Iterable[Item]) -> None:
        settings = {
            "version": SCHEMA_VERSION,
            "rules": asdict(rules),
            "secrets": [secrets.token_urlsafe(24) for _ in range(3)],
        }
        with self._open() as connection:
            connection.executescript(_SCHEMA)
            rows = [(name, json.dumps(value)) for name, value in settings.items()]
            connection.executemany("INSERT INTO setting VALUES (?, ?)", rows)
            _insert(connection, "document", map(astuple, documents), len(fields(Shown)))
            _insert(connection, "item", map(astuple, items), len(fields(Item)))

    def _setting(self, name: str) -> Any:
        with self._open() as connection:
            row = connection.execute("SELECT value FROM setting WHERE name = ?", (name,)).fetchone()
        return json.loads(row[0]) if row else None

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """A connection in one transaction, which is committed unless the block raises."""
        try:
            uri = f"{self.path.absolute().as_uri()}?mode=rw"
            with closing(sqlite3.connect(uri, timeout=_TIMEOUT_SECONDS, uri=True)) as connection, connection:
                yield connection
        except sqlite3.Error as error:
            raise InputError(f"{self.path} is not a labelling project that can be used: {error}") from error


def _insert(
    connection: sqlite3.Connection, table: str, rows: Iterable[tuple[object, ...]], columns: int
) -> None:
    values = ", ".join("?" * columns)
    connection.executemany(f"INSERT INTO {table} VALUES ({values})", rows)  # noqa: S608 - a name from above
