# ruff: noqa: S608 - only constants are put together here, values are parameters
"""Search in SQLite: the matches of a query go into a temporary table, and everything is read from there.

FTS5 therefore runs once per search, and hits, counts and facets are always consistent. Collapsing is a window
function: the first row of each group in the order of the results.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from dupgroups.engines.base import FACETS
from dupgroups.engines.common import from_cursor, to_cursor
from dupgroups.engines.sqlite_schema import COPIES, COPY, SITE
from dupgroups.model import Copy, Facet, Hit, Query, Results
from dupgroups.text.snippets import snippet
from dupgroups.text.words import query_words


class Database(Protocol):
    """The part of a connection that is used here."""

    def execute(self, statement: str, values: Any = (), /) -> Any:
        """Run one statement."""


TEMPORARY = """
CREATE TEMP TABLE hit (
    doc INTEGER PRIMARY KEY, score REAL, date TEXT, seen INTEGER, id TEXT, grp TEXT, language TEXT, site TEXT
)
"""

# the author is one of the names, which are put on separate lines for the comparison
_BY = "instr(char(10) || replace(author, ', ', char(10)) || char(10), char(10) || :author || char(10))"
_MATCHES = f"""
    INSERT INTO hit SELECT document.doc, {{score}}, coalesce(date, ''), last_seen, id, grp, language, {SITE}
    FROM {{tables}}
    WHERE (:head = 0 OR document.head) AND (:language IS NULL OR language = :language)
        AND (:site IS NULL OR {SITE} = :site) AND (:author IS NULL OR {_BY})
"""
_ALL = _MATCHES.format(score="0.0", tables="document")
_MATCHING = (
    _MATCHES.format(score="words.rank", tables="words JOIN document ON document.doc = words.rowid")
    + " AND words MATCH :words"
)
_COUNT = "SELECT count(*), count(DISTINCT grp) FROM hit"

_ORDER = "score, date DESC, seen DESC, id"
_AFTER = """(score > :score OR score = :score AND (date < :date OR date = :date
    AND (seen < :seen OR seen = :seen AND id > :id)))"""
_BEST = f"(SELECT *, row_number() OVER (PARTITION BY grp ORDER BY {_ORDER}) AS place FROM hit)"
_PAGE = f"""
    SELECT doc, score, date, seen, id FROM {{hits}} ORDER BY {_ORDER} LIMIT :limit OFFSET :offset
"""

_SHOWN = f"SELECT {COPY}, document.grp, payload.text FROM document JOIN payload USING (doc) WHERE doc = ?"
_SIZE = f"SELECT count(*), count(DISTINCT nullif({SITE}, '')) FROM document WHERE grp = ?"
_FACET = """
    SELECT {column}, count({counted}) AS results FROM hit WHERE {column} <> ''
    GROUP BY {column} ORDER BY results DESC, {column} LIMIT ?
"""


def search(db: Database, query: Query) -> Results:
    """See Engine.search; `db` has the table `TEMPORARY` and is in a transaction."""
    words = query_words(query.text)
    _find(db, query, words)
    documents, stories = db.execute(_COUNT).fetchone()
    page = _page(db, query)
    return Results(
        hits=tuple(_hit(db, row[0], query, words) for row in page[: query.limit]),
        stories=stories,
        documents=documents,
        facets={column: _facet(db, column, query) for column in ("language", "site")},
        cursor=_cursor(page, query),
    )


def copies(db: Database, group: str, limit: int) -> list[Copy]:
    """See Engine.copies."""
    return [Copy(*row) for row in db.execute(COPIES, (group, limit))]


def _find(db: Database, query: Query, words: Sequence[str]) -> None:
    """Fill the table `hit` with every document that matches the query."""
    db.execute("DELETE FROM hit")
    filters = {
        "head": query.mode == "head",
        "language": query.language,
        "site": query.site,
        "author": query.author,
    }
    if words:
        # in quotes, a word is only a word: NEAR, OR and * have no special meaning for FTS5
        between = " OR " if query.any_word else " "
        db.execute(_MATCHING, {"words": between.join(f'"{word}"' for word in words), **filters})
    elif not query.text.strip():
        db.execute(_ALL, filters)


def _page(db: Database, query: Query) -> list[Any]:
    """Number and sort values of the hits of one page, and of one more to see whether there is a next page."""
    values: dict[str, Any] = {"limit": query.limit + 1, "offset": query.offset}
    hits = f"{_BEST} WHERE place = 1" if query.mode == "collapse" else "hit"
    if query.cursor is not None:
        score, date, seen, id_ = from_cursor(query.cursor, (float, str, int, str))
        values |= {"score": score, "date": date, "seen": seen, "id": id_}
        hits = f"hit WHERE {_AFTER}"
    rows: list[Any] = db.execute(_PAGE.format(hits=hits), values).fetchall()
    return rows


def _cursor(page: Sequence[Any], query: Query) -> str | None:
    if query.mode == "collapse" or not 0 < query.limit < len(page):
        return None
    return to_cursor(page[query.limit - 1][1:])


def _hit(db: Database, doc: int, query: Query, words: Sequence[str]) -> Hit:
    *fields, group, text = db.execute(_SHOWN, (doc,)).fetchone()
    shown = Copy(*fields)
    others = [copy for copy in copies(db, group, query.copies + 1) if copy.id != shown.id]
    size, sites = db.execute(_SIZE, (group,)).fetchone()
    return Hit(group, shown, size, tuple(others[: query.copies]), snippet(text, words), sites)


def _facet(db: Database, column: str, query: Query) -> tuple[Facet, ...]:
    counted = "*" if query.mode == "all" else "DISTINCT grp"
    rows = db.execute(_FACET.format(column=column, counted=counted), (FACETS,))
    return tuple(Facet(*row) for row in rows)
