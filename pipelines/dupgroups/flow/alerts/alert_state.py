# ruff: noqa: S608 - only placeholders are put together here, values are parameters
"""The file of an alerter: how far it has looked, what it has told, and what waits to be delivered.

Findings are kept by the documents of the story, not by its name: of a set of documents that shared a
story when something was told, and of those that joined it later, nothing is told twice, whatever the story is
called, merged with or split into. When two sets meet in a story, their documents know what either was told.
When a set is divided among stories, each part knows what all of it was told; what is told of one part later
is no business of the others. A document that has another text now brings nothing into the story where that
belongs, unless most of that story are documents of its set.

A look is one transaction: the mark, what was told, and the alerts that wait. A process that dies before it is
over has told nothing and looks again.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dupgroups.engines.patience import Patience
from dupgroups.engines.sqlite.schema import IDENTITY
from dupgroups.errors import ConfigError

STATE_VERSION = 1
STATE_ID = int.from_bytes(b"dupa", "big")
PATIENCE = Patience(first=0.5, longest=60.0)  # with an alert that is not taken
_TABLES = f"""
CREATE TABLE engine (name TEXT NOT NULL);
CREATE TABLE rule (text TEXT PRIMARY KEY, mark TEXT NOT NULL, silent INTEGER NOT NULL);
CREATE TABLE document (
    id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, story INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX document_story ON document (story);
CREATE TABLE told (
    story INTEGER NOT NULL, rule TEXT NOT NULL, finding TEXT NOT NULL, PRIMARY KEY (story, rule, finding)
) WITHOUT ROWID;
CREATE TABLE outbox (number INTEGER PRIMARY KEY AUTOINCREMENT, alert TEXT NOT NULL, tries INTEGER NOT NULL,
    due REAL NOT NULL);
CREATE INDEX outbox_due ON outbox (due, number);
PRAGMA application_id = {STATE_ID};
PRAGMA user_version = {STATE_VERSION};
"""
_NOTE_DOCUMENT = """INSERT INTO document VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE
    SET (fingerprint, story) = (excluded.fingerprint, excluded.story)
    WHERE (fingerprint, story) <> (excluded.fingerprint, excluded.story)"""
_AMONG_VALUES = "IN (SELECT value FROM json_each(?))"
_POSITIONS = f"""SELECT mark, silent, json_group_array(text) FROM rule WHERE text {_AMONG_VALUES}
    GROUP BY mark, silent"""

Told = tuple[str, str]
"""The text of a rule, and the key of what it found."""


@dataclass(frozen=True, slots=True)
class Position:
    """Where `rules` (their texts) have come to: they are asked of what changed after `mark`. `silent`: they
    still take stock of what stands, of which nothing is told.
    """

    rules: tuple[str, ...]
    mark: object
    silent: bool


@dataclass(frozen=True, slots=True)
class Waiting:
    """An alert that waits, and how often it was tried."""

    number: int
    alert: Mapping[str, Any]
    tries: int


class AlertState:
    """The file, which is made if it is missing; no other process can open it meanwhile.

    Raises ConfigError for a file that is another program's, another engine's, or in use.
    """

    def __init__(self, path: Path, engine: str) -> None:
        self.path = path
        try:
            self._db = sqlite3.connect(path, isolation_level=None, timeout=1.0)
            try:
                self._open(engine)
            except BaseException:
                self._db.close()
                raise
        except sqlite3.Error as error:
            is_busy = "locked" in str(error)
            why = "is in use by another `dup-groups alert`" if is_busy else f"cannot be used ({error})"
            raise ConfigError(f"{path} {why}: name another file with --told") from error

    def _open(self, engine: str) -> None:
        self._db.execute("PRAGMA locking_mode = EXCLUSIVE")  # from here on until it is closed
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")  # of the last commits, a power failure may lose some
        mark, version, tables = self._db.execute(IDENTITY).fetchone()
        if (mark, version, tables) == (0, 0, 0):
            self._db.executescript(f"BEGIN; {_TABLES}")
            self._db.execute("INSERT INTO engine VALUES (?)", (engine,))
            self._db.execute("COMMIT")
        elif (mark, version) != (STATE_ID, STATE_VERSION):
            raise ConfigError(
                f"{self.path} was not written by this version of `dup-groups alert`: name another with --told"
            )
        known = self._db.execute("SELECT name FROM engine").fetchone()[0]
        if known != engine:
            raise ConfigError(f"{self.path} belongs to alerts about {known}: name another file with --told")

    def close(self) -> None:
        """Let others open the file."""
        self._db.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Keep everything that is done in the block, or nothing. Raises ConfigError where nothing is kept."""
        try:
            with self._db:  # ends the transaction, unless a full disk has ended it
                self._db.execute("BEGIN")
                yield
        except sqlite3.Error as error:
            raise ConfigError(f"{self.path} cannot be written: {error}; fix that and try again") from error

    # -- how far it has looked

    def add_rules(self, rules: Iterable[str], *, silent: bool) -> None:
        """Note rules that are new here: they begin with what stands, and tell it unless `silent`."""
        with self.transaction():
            rows = [(rule, "null", silent) for rule in rules]
            self._db.executemany("INSERT OR IGNORE INTO rule VALUES (?, ?, ?)", rows)

    def positions(self, rules: Sequence[str]) -> list[Position]:
        """Where these rules have come to, those together that are at the same place."""
        rows = self._db.execute(_POSITIONS, (json.dumps(list(rules)),)).fetchall()
        return [
            Position((*json.loads(texts),), json.loads(mark), bool(silent)) for mark, silent, texts in rows
        ]

    def move(self, position: Position, mark: object, *, silent: bool) -> None:
        """Note that the rules of a position have come to a mark."""
        rows = [(json.dumps(mark), silent, rule) for rule in position.rules]
        self._db.executemany("UPDATE rule SET mark = ?, silent = ? WHERE text = ?", rows)

    # -- what it has told

    def is_known(self, id_: str) -> bool:
        """Whether something was told of a story with this document."""
        return bool(self._db.execute("SELECT 1 FROM document WHERE id = ?", (id_,)).fetchone())

    def find_told(self, texts: Mapping[str, str]) -> set[Told]:
        """The findings told of the story with these documents (fingerprints by id), by whatever name."""
        stories, among = json.dumps([*self._sizes(texts)]), f"story {_AMONG_VALUES}"
        return {*self._db.execute(f"SELECT rule, finding FROM told WHERE {among}", (stories,))}

    def _sizes(self, texts: Mapping[str, str]) -> dict[int, int]:
        """The sets that count for a story, each with how many of its documents are of it."""
        asked = f"SELECT id, fingerprint, story FROM document WHERE id {_AMONG_VALUES}"
        rows = self._db.execute(asked, (json.dumps(list(texts)),)).fetchall()
        same = {story for id_, fingerprint, story in rows if texts[id_] == fingerprint}
        sizes = Counter(story for *_, story in rows)
        return {story: size for story, size in sizes.items() if story in same or 2 * size > len(texts)}

    def note_told(self, texts: Mapping[str, str], told: Iterable[Told]) -> None:
        """Note that the documents of a story know this, too, unless nothing was ever told of it."""
        knew, news = self.find_told(texts), set(told)
        if not knew | news:
            return
        sizes = self._sizes(texts)
        story = next(iter(sizes), None)
        if story is None or len(sizes) > 1 or (news - knew and self._count_documents(story) > sizes[story]):
            story = self._db.execute("SELECT coalesce(max(story), 0) + 1 FROM told").fetchone()[0]
        rows = [(story, *one) for one in knew | news]
        self._db.executemany(_NOTE_DOCUMENT, [(id_, text, story) for id_, text in texts.items()])
        self._db.executemany("INSERT OR IGNORE INTO told VALUES (?, ?, ?)", rows)
        for former in sizes.keys() - {story}:
            if not self._count_documents(former):
                self._db.execute("DELETE FROM told WHERE story = ?", (former,))

    def _count_documents(self, story: int) -> int:
        return int(self._db.execute("SELECT count(*) FROM document WHERE story = ?", (story,)).fetchone()[0])

    # -- what waits

    def add_waiting(self, alert: Mapping[str, Any], now: float) -> None:
        """Add an alert to those that wait, due from `now` on: behind what is tried again before."""
        row = json.dumps(alert), now  # in ASCII: SQLite takes no lone surrogates
        self._db.execute("INSERT INTO outbox (alert, tries, due) VALUES (?, 0, ?)", row)

    def waiting(self, now: float, limit: int) -> list[Waiting]:
        """At most so many alerts that are due at `now`, in seconds since 1970, in the order in which they
        became due. One that would wait for longer than any pause is due: the clock was set back.
        """
        rows = self._db.execute(
            "SELECT number, alert, tries FROM outbox WHERE due <= ? OR due > ? ORDER BY due, number LIMIT ?",
            (now, now + PATIENCE.longest, limit),
        )
        return [Waiting(number, json.loads(alert), tries) for number, alert, tries in rows.fetchall()]

    def count_waiting(self) -> int:
        """How many alerts wait, due or not."""
        return int(self._db.execute("SELECT count(*) FROM outbox").fetchone()[0])

    def postpone(self, number: int, due: float) -> None:
        """Note that an alert was tried, and when it is due again, in seconds since 1970."""
        with self.transaction():
            self._db.execute("UPDATE outbox SET tries = tries + 1, due = ? WHERE number = ?", (due, number))

    def finish(self, numbers: Iterable[int]) -> None:
        """Note that alerts wait no more."""
        with self.transaction():
            self._db.executemany("DELETE FROM outbox WHERE number = ?", [(number,) for number in numbers])
