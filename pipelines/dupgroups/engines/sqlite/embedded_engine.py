"""The default engine: one SQLite file with candidates, groups and full text; a batch is a transaction.

The file is in WAL mode: readers never wait, and writers wait for each other. Several processes on one machine
may share it, but not over a network file system. The memory engine is the same without a file.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from dupgroups.engines.base import MAX_FACETS, Backlog
from dupgroups.engines.common import OVERTAKEN, check_query, final_moves, naming, refusal, split_storable
from dupgroups.engines.sqlite import schema as sql
from dupgroups.engines.sqlite import writing
from dupgroups.engines.sqlite.candidates import candidates_of
from dupgroups.engines.sqlite.connection import SQLiteConnection
from dupgroups.engines.sqlite.row_codec import (
    correction_of,
    correction_row,
    document_of,
    record_of,
    unpack_text,
)
from dupgroups.engines.sqlite.story_table import changed_stories, find_agencies, stories, write_stories
from dupgroups.engines.sqlite.text_search import copies, search, similar_word
from dupgroups.engines.sqlite.writing import winner_of
from dupgroups.engines.url import EngineURL
from dupgroups.errors import ConflictError, EngineError
from dupgroups.model import (
    Check,
    Copy,
    Correction,
    Document,
    Facet,
    Membership,
    Query,
    Record,
    Results,
    Revision,
    Seen,
    Signature,
    Statistics,
    StoryOrder,
    StoryRecord,
)
from dupgroups.text.deltas import apply_delta
from dupgroups.text.facts import join_title

IN_MEMORY = EngineURL("memory")
MAX_KEPT_SEARCHES = 64  # results of searches that are kept
_SCAN_DOCUMENTS = 200  # documents read at a time by a scan


class SQLiteEngine(SQLiteConnection):
    """Documents in one SQLite file, or in memory until it is closed; any thread may call it, and calls run
    one at a time.

    Options of the URL: `timeout`, the seconds to wait for another writer (default 10). Raises ConfigError for
    a file that cannot be used, EngineError if another process keeps it locked.
    """

    retries, keeps_text = 0, True  # see Store

    def __init__(self, url: EngineURL = IN_MEMORY) -> None:
        self._found: dict[Query, Results] = {}
        self._found_at = 0
        super().__init__(url)
        self._writes = 0
        self._corrections: tuple[Correction, ...] = ()

    # -- reading

    def get(self, ids: Sequence[str]) -> dict[str, Record]:
        with self.transaction() as db:
            return {row[0]: record_of(row) for id_ in ids for row in db.execute(sql.GET, (id_,))}

    def candidates(self, signatures: Sequence[Signature], *, limit: int) -> list[list[Record]]:
        with self.transaction() as db:
            return candidates_of(db, signatures, limit)

    def members(self, groups: Sequence[str], *, limit: int | None = None) -> dict[str, list[Record]]:
        most = -1 if limit is None else limit
        with self.transaction() as db:
            return {group: [*map(record_of, db.execute(sql.MEMBERS, (group, most)))] for group in groups}

    def heads(self, groups: Sequence[str]) -> dict[str, list[Record]]:
        with self.transaction() as db:
            return {group: [record_of(row) for row in db.execute(sql.HEADS, (group,))] for group in groups}

    def resolve(self, groups: Sequence[str]) -> dict[str, str]:
        with self.transaction() as db:
            return {group: winner_of(db, group) or group for group in groups}

    def read(self, ids: Sequence[str]) -> dict[str, Document]:
        with self.transaction() as db:
            return {row[0]: document_of(row) for id_ in ids for row in db.execute(sql.READ, (id_,))}

    def explain_refusal(self, document: Document) -> str:
        return refusal(document)

    def texts(self, ids: Sequence[str]) -> dict[str, str]:
        with self.transaction() as db:
            rows = db.execute(sql.TEXTS, (json.dumps(list(ids)),))
            return {id_: join_title(title, unpack_text(text)) for id_, title, text in rows}

    def scan(self, *, after: str | None = None) -> Iterator[Document]:
        yield from map(document_of, self._scan_rows(sql.SCAN, (after or "",)))

    def memberships(self) -> Iterator[Membership]:
        for group, _, id_, head in self._scan_rows(sql.MEMBERSHIPS, ("", 0, "")):
            yield Membership(id_, group, bool(head))

    def _scan_rows(self, statement: str, after: Sequence[object]) -> Iterator[Sequence[Any]]:
        """Rows in the order of their first columns, after these. Others may write between the chunks."""
        rows: list[Sequence[Any]] = []
        while not rows or len(rows) == _SCAN_DOCUMENTS:
            with self.transaction() as db:
                rows = db.execute(statement, (*after, _SCAN_DOCUMENTS)).fetchall()
            yield from rows
            if not rows:
                return
            after = rows[-1][: len(after)]

    def redirects(self) -> Iterator[tuple[str, str]]:
        with self.transaction() as db:
            rows = db.execute("SELECT loser, winner FROM redirect ORDER BY loser").fetchall()
        yield from rows

    def former_names(self, group: str, *, limit: int = 100) -> list[str]:
        with self.transaction() as db:
            return [row[0] for row in db.execute(sql.FORMER_NAMES, (group, limit))]

    def copies(self, group: str, *, limit: int = 100) -> list[Copy]:
        with self.transaction() as db:
            return copies(db, group, limit)

    def corrections(self, *, fresh: bool = False) -> Sequence[Correction]:
        with self.transaction() as db:
            entries = () if fresh else self._corrections
            news = tuple(map(correction_of, db.execute(sql.CORRECTIONS, (len(entries),))))
            if entries + news != self._corrections:  # as long as nothing is new, the same object
                self._corrections = entries + news
            return self._corrections

    def refresh(self) -> None:
        """Nothing to do: every call sees everything that was committed before it."""

    # -- writing

    def version(self) -> object:
        """See Store.version: a counter for commits of other connections, and one for this connection."""
        with self.transaction() as db:
            return self._version_now(db)

    def _version_now(self, db: sqlite3.Connection) -> object:
        return db.execute("PRAGMA data_version").fetchone()[0], self._writes

    def put(
        self,
        documents: Sequence[Document],
        *,
        moves: Mapping[str, str] | None = None,
        labels: Mapping[str, str] | None = None,
        heads: Mapping[str, str] | None = None,
        seen: Seen | None = None,
    ) -> None:
        """See Store.put. It is one transaction: after a crash, either all of it is stored or nothing."""
        heads = heads or {}
        good, failures = split_storable(documents, heads, self.explain_refusal)
        # terms and credits are read before the transaction: other writers wait for it
        agencies = find_agencies(good)
        contents = [document.content for document in good]
        found_by = [writing.terms(content.title, content.text, content.language) for content in contents]
        documents_by_id = {pair[0].record.id: pair for pair in zip(good, found_by, strict=True)}
        names = naming(good, labels)
        with self.transaction("IMMEDIATE") as db:
            if seen and seen.store != self._version_now(db):
                raise ConflictError(
                    f"{self.name}: {OVERTAKEN}", ids=[document.record.id for document in documents]
                )
            writing.end_redirects(db, names)
            writing.move(db, final_moves(moves or {}, names, lambda group: winner_of(db, group)), heads)
            writing.end_redirects(db, names)
            writing.label(db, labels or {}, heads)
            numbers = writing.scheme_numbers(db, {document.record.signature.scheme for document in good})
            writing.store(db, documents_by_id, numbers)
            write_stories(db, agencies)
            self._writes += 1
        if failures:
            raise EngineError(f"{self.name} rejected {len(failures)} documents", failures=failures)

    def backlog(self) -> Backlog:
        """Always empty: a writer has either seen all documents or gets a ConflictError."""
        return Backlog()

    def mark_settled(self, backlog: Backlog) -> None:
        """Nothing to do: there is never a backlog."""

    def correct(self, entry: Correction) -> None:
        with self.transaction("IMMEDIATE") as db:
            if db.execute("SELECT max(number) FROM correction").fetchone()[0] not in (None, entry.number - 1):
                raise ConflictError(f"{self.name}: {OVERTAKEN}", ids=())
            db.execute(sql.INSERT_CORRECTION, correction_row(entry))
            self._writes += 1

    def mark_corrected(self, number: int) -> None:
        with self.transaction("IMMEDIATE") as db:
            db.execute("UPDATE correction SET carried_out = 1 WHERE number = ?", (number,))
            self._corrections = self._corrections[: number - 1]  # what comes after is read again

    def touch(self, ids: Sequence[str], last_seen: int) -> None:
        with self.transaction("IMMEDIATE") as db:
            rows = [(last_seen, id_) for id_ in ids]
            db.executemany("UPDATE document SET last_seen = ? WHERE id = ?", rows)

    def delete(self, ids: Sequence[str]) -> None:
        with self.transaction("IMMEDIATE") as db:
            for id_ in ids:
                writing.forget(db, id_)
            write_stories(db)
            self._writes += 1

    # -- searching

    def search(self, query: Query) -> Results:
        """See Engine.search. Hits, copies and counts come from the same snapshot.

        The last MAX_KEPT_SEARCHES results are kept until somebody writes.
        """
        check_query(query)
        with self.transaction() as db:
            version = db.execute("PRAGMA data_version").fetchone()[0]  # of the writes of others
            if version != self._found_at:
                self._found.clear()
                self._found_at = version
            if query not in self._found:
                if len(self._found) >= MAX_KEPT_SEARCHES:
                    del self._found[next(iter(self._found))]
                self._found[query] = search(db, query)
            return self._found[query]

    def similar_word(self, word: str) -> str | None:
        """See Engine.similar_word. Other calls do not wait for it, except in memory."""
        with self.snapshot() as db:
            return similar_word(db, word)

    def _forget_searches(self) -> None:
        self._found.clear()

    # -- the file

    def revisions(self, ids: Sequence[str]) -> dict[str, list[Revision]]:
        revisions: dict[str, list[Revision]] = {}
        with self.transaction() as db:
            rows = db.execute(sql.SELECT_REVISIONS, (json.dumps(list(ids)),)).fetchall()
        for id_, at, delta, title, packed in rows:
            earlier = revisions.setdefault(id_, [])
            later = earlier[-1].text if earlier else join_title(title, unpack_text(packed))
            earlier.append(Revision(at, apply_delta(later, delta)))
        return revisions

    def stories(
        self, *, order: StoryOrder = "copies", since: int | None = None, limit: int = 100
    ) -> list[StoryRecord]:
        with self.transaction() as db:
            return stories(db, order, since, limit)

    def changed_stories(self, after: object = None, *, limit: int = 1000) -> tuple[list[StoryRecord], object]:
        with self.transaction() as db:
            return changed_stories(db, after, limit)

    def count_stories(self) -> None:
        with self.transaction("IMMEDIATE") as db:
            db.execute(sql.TOUCH_ALL)
            write_stories(db)

    def find_gone(self) -> Iterator[list[str]]:
        with self.transaction() as db:
            ids = [row[0] for row in db.execute(sql.SELECT_GONE)]
        yield from [ids] if ids else []

    def count_outdated(self, schemes: Collection[str]) -> int:
        with self.transaction() as db:
            return int(db.execute(sql.COUNT_OUTDATED, (json.dumps(sorted(schemes)),)).fetchone()[0])

    def statistics(self) -> Statistics:
        """See Engine.statistics. Other calls do not wait for it, except in memory."""
        with self.snapshot() as db:
            sites = db.execute(sql.SITES).fetchall()
            sizes = dict(db.execute(sql.SIZES).fetchall())
            redirects = db.execute("SELECT count(*) FROM redirect").fetchone()[0]
        named = [Facet(site, documents) for site, documents, _ in sites if site]
        return Statistics(
            documents=sum(documents for _, documents, _ in sites),
            sizes=sizes,
            sites=len(named),
            largest_sites=tuple(named[:MAX_FACETS]),
            redirects=redirects,
            last_seen=max((seen for _, _, seen in sites), default=0),
        )

    def check(self) -> list[Check]:
        with self.transaction() as db:
            result = db.execute("PRAGMA quick_check").fetchone()[0]
            mode = db.execute("PRAGMA journal_mode").fetchone()[0]
            usual = mode in ("wal", "memory")
            checks = [Check("integrity", result == "ok", result)]
            checks.append(Check("schema", True, f"version {sql.SCHEMA_VERSION}"))
            checks.append(Check("journal", usual, f"mode {mode}" + ("" if usual else ", expected wal")))
            for name, (well, ill, statement) in sql.COUNTS.items():
                wrong = db.execute(statement).fetchone()[0]
                checks.append(Check(name, not wrong, f"{wrong} {ill}" if wrong else well))
            return checks
