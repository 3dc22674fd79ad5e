# ruff: noqa: S608 - only constants are put together here, values are parameters
"""Search in SQLite: the matches of a query go into a temporary table, and everything is read from there.

FTS5 therefore runs once per search, and hits, counts and facets are always consistent. Collapsing is a window
function: the first row of each group in the order of the results.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Protocol

from dupgroups.engines.base import FACETS
from dupgroups.engines.common import from_cursor, to_cursor
from dupgroups.engines.dates import PREFIX, histogram, unit_of
from dupgroups.engines.similar import FIRST, has_similar, similar_words
from dupgroups.engines.sqlite_rows import unpacked
from dupgroups.engines.sqlite_schema import COPIES, COPY, SITE
from dupgroups.model import Copy, Facet, Hit, Period, Query, Results
from dupgroups.text.query_syntax import Either, Node, Run, Search, Term, found_words, parse
from dupgroups.text.snippets import snippet
from dupgroups.text.terms import SIGN


class Database(Protocol):
    """The part of a connection that is used here."""

    def execute(self, statement: str, values: Any = (), /) -> Any:
        """Run one statement."""


TABLES = ("text_index", "terms", "words")  # documents are in one of them; the others are of earlier versions

TEMPORARY = (
    """CREATE TEMP TABLE hit (
        doc INTEGER PRIMARY KEY, score REAL, date TEXT, seen INTEGER, id TEXT, grp TEXT, language TEXT,
        site TEXT, day TEXT
    )""",
    *(
        f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary_of_{table} USING fts5vocab (main, {table}, row)"
        for table in TABLES
    ),
)

# the author is one of the names, which are put on separate lines for the comparison
_BY = "instr(char(10) || replace(author, ', ', char(10)) || char(10), char(10) || :author || char(10))"
_FILTERS = {
    "language": "language = :language",
    "site": f"{SITE} = :site",
    "author": _BY,
    "since": "day >= :since",
    "until": "day <= :until",
}
_MATCHES = f"""
    INSERT INTO hit
    SELECT document.doc, {{score}}, coalesce(date, ''), last_seen, id, grp, language, {SITE}, day
    FROM {{tables}} WHERE {{conditions}}
"""
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
_SPAN = "SELECT min(day), max(day) FROM hit"
_PERIODS = "SELECT substr(day, 1, ?), count(*) FROM hit WHERE day IS NOT NULL GROUP BY 1"
_KNOWN = "SELECT 1 FROM {table} WHERE {table} MATCH ? LIMIT 1"
_VOCABULARY = "SELECT term, doc FROM temp.vocabulary_of_{table} WHERE term >= ? AND term < ?"


def search(db: Database, query: Query) -> Results:
    """See Engine.search; `db` has the tables `TEMPORARY` and is in a transaction."""
    parsed = parse(query.text, query.language, any_word=query.any_word)
    _find(db, query, parsed)
    documents, stories = db.execute(_COUNT).fetchone()
    page = _page(db, query)
    return Results(
        hits=tuple(_hit(db, row[0], query, parsed) for row in page[: query.limit]),
        stories=stories,
        documents=documents,
        facets={column: _facet(db, column, query) for column in ("language", "site")},
        cursor=_cursor(page, query),
        histogram=_histogram(db),
    )


def copies(db: Database, group: str, limit: int) -> list[Copy]:
    """See Engine.copies."""
    return [Copy(*row) for row in db.execute(COPIES, (group, limit))]


def closest(db: Database, words: Sequence[str], limit: int) -> dict[str, list[str]]:
    """See Engine.closest; `db` has the tables `TEMPORARY` and is in a transaction."""
    missing = [word for word in words if not _is_known(db, word)]
    return {word: similar_words(word, _beginning_as(db, word), limit) for word in missing}


def _is_known(db: Database, word: str) -> bool:
    match = (_run(Run((word,))),)
    return any(db.execute(_KNOWN.format(table=table), match).fetchone() for table in TABLES)


def _beginning_as(db: Database, word: str) -> Counter[str]:
    """The words with the first letters of a word, and the number of documents of each."""
    known: Counter[str] = Counter()
    if has_similar(word):
        first = word[:FIRST]
        after = first[:-1] + chr(ord(first[-1]) + 1)
        for table in TABLES:
            rows = db.execute(_VOCABULARY.format(table=table), (first, after))
            known.update({term: documents for term, documents in rows if SIGN not in term})
    return known


def _find(db: Database, query: Query, search: Search) -> None:
    """Fill the table `hit` with every document that matches the query."""
    db.execute("DELETE FROM hit")
    values = {name: getattr(query, name) for name in _FILTERS if getattr(query, name) is not None}
    conditions = [_FILTERS[name] for name in values] + ["document.head"] * (query.mode == "head")
    if search.wanted is None:
        if not query.text.strip():
            db.execute(_matches("0.0", "document", conditions), values)
        return
    values["match"] = match_of(search)
    for table in TABLES:
        score = "0.0" if query.sort == "date" else f"{table}.rank"
        tables = f"{table} JOIN document ON document.doc = {table}.rowid"
        db.execute(_matches(score, tables, [*conditions, f"{table} MATCH :match"]), values)


def _matches(score: str, tables: str, conditions: Sequence[str]) -> str:
    return _MATCHES.format(score=score, tables=tables, conditions=" AND ".join(conditions) or "1")


def match_of(search: Search) -> str:
    """What a search wants and does not want, as an expression of FTS5.

    In quotes, a term is only a term: NEAR, OR and * have no special meaning for FTS5.
    """
    assert search.wanted is not None
    wanted = _expression(search.wanted)
    if not search.unwanted:
        return wanted
    return f"{wanted} NOT ({' OR '.join(map(_expression, search.unwanted))})"


def _expression(node: Node) -> str:
    if isinstance(node, Term):
        return f"({' OR '.join(map(_run, node.runs))})"
    between = " OR " if isinstance(node, Either) else " AND "
    return f"({between.join(map(_expression, node.parts))})"


def _run(run: Run) -> str:
    return f'"{" ".join(run.terms)}"' + " *" * run.prefix


def _histogram(db: Database) -> tuple[Period, ...]:
    first, last = db.execute(_SPAN).fetchone()
    if first is None:
        return ()
    unit = unit_of(first, last)
    return histogram(dict(db.execute(_PERIODS, (PREFIX[unit],))), unit)


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


def _hit(db: Database, doc: int, query: Query, search: Search) -> Hit:
    *fields, group, packed = db.execute(_SHOWN, (doc,)).fetchone()
    shown, text = Copy(*fields), unpacked(packed)
    others = [copy for copy in copies(db, group, query.copies + 1) if copy.id != shown.id]
    size, sites = db.execute(_SIZE, (group,)).fetchone()
    words = found_words(search, text, shown.language)
    return Hit(group, shown, size, tuple(others[: query.copies]), snippet(text, words), sites)


def _facet(db: Database, column: str, query: Query) -> tuple[Facet, ...]:
    counted = "*" if query.mode == "all" else "DISTINCT grp"
    rows = db.execute(_FACET.format(column=column, counted=counted), (FACETS,))
    return tuple(Facet(*row) for row in rows)
