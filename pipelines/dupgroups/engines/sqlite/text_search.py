# ruff: noqa: S608 - only constants are put together here, values are parameters
"""Search in SQLite: hits, stories, facets and histogram are made of the first rows that match.

However many documents match, at most MAX_COUNTED_HITS rows are counted, and the results say so. With words to
search for, their numbers and scores go into a temporary table, so FTS5 runs once per search. Without words an
index has all documents newest first. Either way, only the rows that are asked for are read.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import Any, NamedTuple

from rapidfuzz.distance import OSA
from rapidfuzz.process import extractOne

from dupgroups.engines import base
from dupgroups.engines.common import from_cursor, max_edits, most_frequent, to_cursor, with_names
from dupgroups.engines.date_buckets import PREFIX, histogram, unit_of
from dupgroups.engines.sqlite.expressions import lookup_of, typed_words
from dupgroups.engines.sqlite.row_codec import unpack_text
from dupgroups.engines.sqlite.schema import COPIES, COPY, DATE, NAME, SITE
from dupgroups.model import Copy, Facet, Hit, Period, Query, Results
from dupgroups.text.language import normalize_language
from dupgroups.text.query_syntax import Node, Search, found_words, parse
from dupgroups.text.snippets import snippet
from dupgroups.text.terms import SIGN

_SELECT_SHOWN = f"SELECT {COPY}, payload.text FROM document JOIN payload USING (doc) WHERE doc = ?"
_SIZE = f"SELECT count(*), count(DISTINCT nullif({SITE}, '')) FROM document WHERE grp = ?"


class Row(NamedTuple):
    """A document that matches: first what results are sorted by. `date` is "" if unknown."""

    score: float
    date: str
    seen: int
    id: str
    doc: int
    group: str
    language: str
    site: str
    name: str
    day: str | None

    @property
    def cursor(self) -> str:
        """The cursor of the results after this one."""
        return to_cursor(self[:4])


_VOCABULARY = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, text_index, row)"
_ALIKE_TERMS = """SELECT term FROM vocabulary WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ?
    ORDER BY doc DESC, term"""
TEMPORARY = "CREATE TEMP TABLE hit (doc INTEGER PRIMARY KEY, score REAL)"

_FILTERS = {
    "language": "language = :language",
    "site": f"{SITE} = :site",
    "name": "document.site = :name",
    "author": "document.doc IN (SELECT doc FROM byline WHERE name = :author)",
    "since": "day >= :since",
    "until": "day <= :until",
}
# The same for what FTS5 finds: a set that is made once is asked faster than the row of each document that has
# a word; "+" keeps SQLite from asking FTS5 for each document of the set.
_FILTERS_OF_FOUND = _FILTERS | {
    "site": f"+{{table}}.rowid IN (SELECT doc FROM document WHERE {SITE} = :site)",
    "author": "+{table}.rowid IN (SELECT doc FROM byline WHERE name = :author)",
}
# The same for a list in the order of dates as they are written. These are at most five days from the day in
# UTC, so the index of that order finds the days; "+" keeps SQLite from the index of days, in another order.
_FILTERS_IN_ORDER = _FILTERS | {
    "since": f"+day >= :since AND {DATE} >= date(:since, '-5 days')",
    "until": f"+day <= :until AND {DATE} < coalesce(date(:until, '+6 days'), '~')",
}
# CROSS JOIN: FTS5 comes first; the join leaves out terms that could not be taken back (`writing`)
_FIND = """
    INSERT INTO hit SELECT {{table}}.rowid, {score}
    FROM {{table}} CROSS JOIN document ON document.doc = {{table}}.rowid
    WHERE {{table}} MATCH :match AND {conditions} ORDER BY {{table}}.rowid DESC LIMIT :most
"""
_IS_COMMON = """SELECT 1 FROM text_index WHERE text_index MATCH :word AND rowid > :first
    ORDER BY rowid DESC LIMIT 1 OFFSET :others"""
_IS_SITE = f"SELECT 1 FROM document WHERE {SITE} = ? LIMIT 1"
_SELECT_LAST = "SELECT max(doc) FROM document"
_COUNT_FOUND = "SELECT count(*) FROM hit"
_FORGET_OLDEST = "DELETE FROM hit WHERE doc <= (SELECT doc FROM hit ORDER BY doc DESC LIMIT 1 OFFSET ?)"
_TEXTLESS = "(SELECT doc FROM document AS textless WHERE length = 0)"
_WITH_TEXT = f"document.doc NOT IN {_TEXTLESS}"
_COUNT_STORED = "SELECT count(*) FROM document"  # without a condition, SQLite reads only the ends of pages
_COUNTS = {"1": _COUNT_STORED, _WITH_TEXT: f"SELECT ({_COUNT_STORED}) - (SELECT count(*) FROM {_TEXTLESS})"}

_ROW = f"{DATE}, last_seen, id, doc, grp, language, {SITE}, {NAME}, day"
_SELECT_NEWEST = f"""
    SELECT 0.0, {_ROW} FROM document WHERE {{conditions}}
    ORDER BY {DATE} DESC, last_seen DESC, id LIMIT :most
"""
_BEST = f"""
    SELECT score, {_ROW} FROM hit CROSS JOIN document USING (doc)
    WHERE {{conditions}} ORDER BY score, {DATE} DESC, last_seen DESC, id LIMIT :most
"""
# the scores tell which documents can be among the first ones: only these are read
_NEAR_SCORE = """score >= :score AND score <= coalesce(
    (SELECT score FROM hit WHERE score > :score ORDER BY score LIMIT 1 OFFSET :most), 9e999
)"""
_OF_GROUPS = "document.grp IN (SELECT value FROM json_each(:groups))"
_HEADS = f"SELECT score, {_ROW} FROM document CROSS JOIN hit USING (doc) WHERE head AND {_OF_GROUPS}"
_MOST_COPIED = """
    SELECT grp, count(*) FROM {table} WHERE {conditions}
    GROUP BY grp ORDER BY count(*) DESC, grp LIMIT :most OFFSET :offset
"""
_DAYS = "SELECT day, count(*) FROM document WHERE {conditions} GROUP BY day"
_OLDER_THAN = f"{DATE} <= :date AND ({DATE} < :date OR last_seen < :seen OR last_seen = :seen AND id > :id)"


class Matches:
    """The matches of a query: `documents` are as many, or more if not `all_sorted`.

    It is valid until the next one is made with the same database, which is in a transaction.
    """

    def __init__(self, db: sqlite3.Connection, query: Query, search: Search) -> None:
        self._db = db
        self._words = search.wanted is not None
        self._nothing = not self._words and bool(query.text.strip())
        self._values: dict[str, Any] = {
            name: getattr(query, name) for name in _FILTERS if getattr(query, name, None) is not None
        }
        if "site" in self._values and not db.execute(_IS_SITE, (query.site,)).fetchone():
            self._values["name"] = self._values.pop("site")
        self._shown = ["head"] * (query.mode == "head") + [_WITH_TEXT] * (query.mode != "all")
        self.all_sorted = True
        if self._words:
            self._find(query, search)
        else:
            self.documents = 0 if self._nothing else self._count_stored()

    def _find(self, query: Query, search: Search) -> None:
        """Fill the table. A cursor has to reach every document, so only collapse mode has a limit."""
        self._db.execute("DELETE FROM hit")
        limited = query.mode == "collapse"
        values = self._values | {"most": base.MAX_SORTED_HITS + 1 if limited else -1}
        by_rank = limited and not self._values and query.sort != "date"
        lookup = lookup_of(search, self._common(search) if by_rank else ())
        score = "0.0" if query.sort == "date" else lookup.score
        conditions = f"{lookup.condition} AND {self._all_conditions(_FILTERS_OF_FOUND)}"
        statement = _FIND.format(score=score, conditions=conditions).format(table=lookup.table)
        self._db.execute(statement, values | {"match": lookup.match, "other": lookup.other})
        self.documents = self._db.execute(_COUNT_FOUND).fetchone()[0]
        if limited and self.documents > base.MAX_SORTED_HITS:
            self._db.execute(_FORGET_OLDEST, (base.MAX_SORTED_HITS,))
            self.documents = base.MAX_SORTED_HITS
            self.all_sorted = False

    def _common(self, search: Search) -> list[Node]:
        """The words of a search that say nothing about a document: more than half of the last ones have them.

        For BM25 a word of more than half of the documents weighs nothing; but to know that it is one, FTS5
        counts them all.
        """
        last: int = self._db.execute(_SELECT_LAST).fetchone()[0] or 0
        values = {"first": last - 2 * base.MAX_SORTED_HITS, "others": base.MAX_SORTED_HITS}
        typed = ((node, values | {"word": word}) for node, word in typed_words(search).items())
        return [node for node, asked in typed if self._db.execute(_IS_COMMON, asked).fetchone()]

    def _count_stored(self) -> int:
        conditions = self._all_conditions(_FILTERS)
        statement = _COUNTS.get(conditions, f"{_COUNT_STORED} WHERE {conditions}")
        return int(self._db.execute(statement, self._values).fetchone()[0])

    def first_rows(self, most: int) -> list[Row]:
        """The first results."""
        return self._rows(most, {"score": -inf})

    def rows_after(self, cursor: str, most: int) -> list[Row]:
        """The first results after a cursor."""
        score, date, seen, id_ = from_cursor(cursor, (float, str, int, str))
        values = {"score": score, "date": date, "seen": seen, "id": id_}
        later = f"(score > :score OR score = :score AND ({_OLDER_THAN}))" if self._words else _OLDER_THAN
        return self._rows(most, values, later)

    def most_copied(self, most: int, offset: int) -> dict[str, int]:
        """The groups with the most members that match, each with their number, then by name."""
        table, conditions = "document", self._all_conditions(_FILTERS)
        if self._words:
            table, conditions = "hit CROSS JOIN document USING (doc)", "1"
        statement = _MOST_COPIED.format(table=table, conditions="0" if self._nothing else conditions)
        return dict(self._db.execute(statement, self._values | {"most": most, "offset": offset}))

    def days(self) -> dict[str, int] | None:
        """How many results each day has, if the index of days can tell, for a period without words."""
        if self._words or "since" not in self._values:
            return None
        return dict(self._db.execute(_DAYS.format(conditions=self._all_conditions(_FILTERS)), self._values))

    def of_groups(self, groups: Iterable[str], more: str = "") -> list[Row]:
        """The results that are in these groups; `more`: what else is asked of them."""
        values = {"score": -inf, "groups": json.dumps([*groups])}
        return self._rows(self.documents, values, f"{_OF_GROUPS} {more}")

    def heads(self, groups: Iterable[str]) -> dict[str, Row]:
        """Of each of these groups the main copy, if it is a result of words."""
        rows = self._db.execute(_HEADS, {"groups": json.dumps([*groups])}) if self._words else ()
        return {row.group: row for row in map(Row._make, rows)}

    def _rows(self, most: int, values: Mapping[str, Any], after: str = "1") -> list[Row]:
        if self._nothing:
            return []
        if self._words:
            some = f"{after} AND {_NEAR_SCORE}" if most < self.documents else after
        else:
            some = f"{self._all_conditions(_FILTERS_IN_ORDER)} AND {after}"
        statement = (_BEST if self._words else _SELECT_NEWEST).format(conditions=some)
        rows = self._db.execute(statement, {**self._values, **values, "most": most})
        return list(map(Row._make, rows))

    def _all_conditions(self, filters: Mapping[str, str]) -> str:
        return " AND ".join([*(filters[name] for name in self._values), *self._shown]) or "1"


def search(db: sqlite3.Connection, query: Query) -> Results:
    """See Engine.search; `db` has the table `TEMPORARY` and is in a transaction."""
    query = replace(query, language=query.language and (normalize_language(query.language) or query.language))
    parsed = parse(query.text, query.language, any_word=query.any_word)
    matches = Matches(db, query, parsed)
    rows = matches.first_rows(max(base.MAX_COUNTED_HITS, query.offset + query.limit) + 1)
    counted = rows[: base.MAX_COUNTED_HITS]
    copied = matches.most_copied(query.limit, query.offset) if query.sort == "copies" else {}
    page = _page(matches, counted if query.mode == "collapse" else rows, query, copied)
    complete = matches.all_sorted and matches.documents <= base.MAX_COUNTED_HITS
    has_cursor = query.mode != "collapse" and 0 < query.limit < len(page)
    return Results(
        hits=tuple(_hit(db, row, query, parsed, copied.get(row.group, 0)) for row in page[: query.limit]),
        stories=matches.documents if query.mode == "head" else len({row.group for row in counted}),
        documents=matches.documents,
        exact=complete or query.mode == "head",
        facets=_facets(counted, query),
        cursor=page[query.limit - 1].cursor if has_cursor else None,
        histogram=_histogram(matches.days() or Counter(row.day for row in counted if row.day)),
        complete=complete,
        all_sorted=matches.all_sorted,
    )


def copies(db: sqlite3.Connection, group: str, limit: int) -> list[Copy]:
    """See Engine.copies."""
    return [Copy(*row) for row in db.execute(COPIES, (group, limit))]


def _page(matches: Matches, rows: Sequence[Row], query: Query, copied: Mapping[str, int]) -> Sequence[Row]:
    """The hits of a page, and one more if another follows; of stories by copies, the `copied` ones."""
    if query.sort == "copies":
        rows = matches.of_groups(copied, "AND head") + matches.of_groups(copied)  # main copies first
        best = {row.group: row for row in _first_of_each_group(rows)}
        return [best[group] for group in copied]
    if query.cursor is not None:
        return matches.rows_after(query.cursor, query.limit + 1)
    ranked = query.mode == "collapse" and query.sort == "relevance"
    if query.mode == "collapse":
        rows = _first_of_each_group(rows)
    rows = rows[query.offset : query.offset + query.limit + 1]
    heads = matches.heads(row.group for row in rows) if ranked else {}
    return [heads.get(row.group, row) for row in rows]


def _first_of_each_group(rows: Iterable[Row]) -> list[Row]:
    best: dict[str, Row] = {}
    for row in rows:
        best.setdefault(row.group, row)
    return list(best.values())


def _hit(db: sqlite3.Connection, row: Row, query: Query, search: Search, matching: int) -> Hit:
    *fields, packed = db.execute(_SELECT_SHOWN, (row.doc,)).fetchone()
    shown, text = Copy(*fields), unpack_text(packed)
    listed = [copy for copy in copies(db, row.group, query.copies + 1) if copy.id != row.id]
    size, sites = db.execute(_SIZE, (row.group,)).fetchone()
    part = snippet(text, found_words(search, text, shown.language))
    return Hit(row.group, shown, size, tuple(listed[: query.copies]), part, sites, matching)


def _facets(rows: Sequence[Row], query: Query) -> dict[str, tuple[Facet, ...]]:
    groups = [str(row.doc) if query.mode == "all" else row.group for row in rows]
    facets: dict[str, tuple[Facet, ...]] = {}
    for name in ("language", "site"):
        stories = {*zip((getattr(row, name) for row in rows), groups, strict=True)}
        facets[name] = most_frequent(Counter(value for value, _ in stories if value))
    names = Counter((row.site, row.name) for row in rows if row.name != row.site)
    return facets | {"site": with_names(facets["site"], names)}


def _histogram(days: Mapping[str, int]) -> tuple[Period, ...]:
    if not days:
        return ()
    unit = unit_of(min(days), max(days))
    counts: Counter[str] = Counter()
    for day, documents in days.items():
        counts[day[: PREFIX[unit]]] += documents
    return histogram(counts, unit)


def similar_word(db: sqlite3.Connection, word: str) -> str | None:
    """See Engine.similar_word; of several that are as near, the most frequent one."""
    db.execute(_VOCABULARY)
    most, begin = max_edits(word), word[:2]
    values = (begin, begin + chr(sys.maxunicode), len(word) - most, len(word) + most)
    terms: list[str] = [term for (term,) in db.execute(_ALIKE_TERMS, values) if SIGN not in term]
    nearest = extractOne(word, terms, scorer=OSA.distance, score_cutoff=most)
    return terms[nearest[2]] if nearest and nearest[1] else None
