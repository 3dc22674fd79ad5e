# ruff: noqa: S608 - only constants are put together here, values are parameters
"""Search in SQLite: hits, stories, facets and histogram are made of the first rows that match.

However many documents match, at most COUNTED rows are counted, and the results say so.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence

from dupgroups.engines import base
from dupgroups.engines.common import most, with_names
from dupgroups.engines.dates import PREFIX, histogram, unit_of
from dupgroups.engines.sqlite_matches import Matches, Row
from dupgroups.engines.sqlite_rows import unpacked
from dupgroups.engines.sqlite_schema import COPIES, COPY, SITE
from dupgroups.model import Copy, Facet, Hit, Period, Query, Results
from dupgroups.text.query_syntax import Search, found_words, parse
from dupgroups.text.snippets import snippet

_SHOWN = f"SELECT {COPY}, payload.text FROM document JOIN payload USING (doc) WHERE doc = ?"
_SIZE = f"SELECT count(*), count(DISTINCT nullif({SITE}, '')) FROM document WHERE grp = ?"


def search(db: sqlite3.Connection, query: Query) -> Results:
    """See Engine.search; `db` has the table `TEMPORARY` and is in a transaction."""
    parsed = parse(query.text, query.language, any_word=query.any_word)
    matches = Matches(db, query, parsed)
    rows = matches.first(max(base.COUNTED, query.offset + query.limit) + 1)
    counted = rows[: base.COUNTED]
    page = _page(matches, counted if query.mode == "collapse" else rows, query)
    complete = matches.all_sorted and matches.documents <= base.COUNTED
    return Results(
        hits=tuple(_hit(db, row, query, parsed) for row in page[: query.limit]),
        stories=matches.documents if query.mode == "head" else len({row.group for row in counted}),
        documents=matches.documents,
        exact=complete or query.mode == "head",
        facets=_facets(counted, query),
        cursor=_cursor(page, query),
        histogram=_histogram(counted),
        complete=complete,
        all_sorted=matches.all_sorted,
    )


def copies(db: sqlite3.Connection, group: str, limit: int) -> list[Copy]:
    """See Engine.copies."""
    return [Copy(*row) for row in db.execute(COPIES, (group, limit))]


def _page(matches: Matches, rows: Sequence[Row], query: Query) -> Sequence[Row]:
    """The hits of one page, and one more if there is a next page."""
    if query.cursor is not None:
        return matches.after(query.cursor, query.limit + 1)
    if query.mode == "collapse":
        rows = _first_of_each_group(rows)
    return rows[query.offset : query.offset + query.limit + 1]


def _first_of_each_group(rows: Iterable[Row]) -> list[Row]:
    best: dict[str, Row] = {}
    for row in rows:
        best.setdefault(row.group, row)
    return list(best.values())


def _cursor(page: Sequence[Row], query: Query) -> str | None:
    if query.mode == "collapse" or not 0 < query.limit < len(page):
        return None
    return page[query.limit - 1].cursor


def _hit(db: sqlite3.Connection, row: Row, query: Query, search: Search) -> Hit:
    *fields, packed = db.execute(_SHOWN, (row.doc,)).fetchone()
    shown, text = Copy(*fields), unpacked(packed)
    others = [copy for copy in copies(db, row.group, query.copies + 1) if copy.id != row.id]
    size, sites = db.execute(_SIZE, (row.group,)).fetchone()
    words = found_words(search, text, shown.language)
    return Hit(row.group, shown, size, tuple(others[: query.copies]), snippet(text, words), sites)


def _facets(rows: Sequence[Row], query: Query) -> dict[str, tuple[Facet, ...]]:
    values = {"language": [row.language for row in rows], "site": [row.site for row in rows]}
    groups = [str(row.doc) if query.mode == "all" else row.group for row in rows]
    stories = {name: {*zip(found, groups, strict=True)} for name, found in values.items()}
    facets = {name: most(Counter(value for value, _ in pairs if value)) for name, pairs in stories.items()}
    names = Counter((row.site, row.name) for row in rows if row.name != row.site)
    return facets | {"site": with_names(facets["site"], names)}


def _histogram(rows: Sequence[Row]) -> tuple[Period, ...]:
    days = Counter(row.day for row in rows if row.day)
    if not days:
        return ()
    unit = unit_of(min(days), max(days))
    counts: Counter[str] = Counter()
    for day, documents in days.items():
        counts[day[: PREFIX[unit]]] += documents
    return histogram(counts, unit)
