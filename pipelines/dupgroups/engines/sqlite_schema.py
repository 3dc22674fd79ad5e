# ruff: noqa: S608 - only constants are put together here, values are parameters
"""The tables of the SQLite engine and the statements over them, as plain SQL.

    document   one narrow row per document: what lists, counts and groups need
    payload    the wide rest of it: signature and text, read only for what is looked at
    band       (scheme, key) -> document, the look-up of candidates
    words      FTS5 over the words of title and text, cut by `text.words`
    redirect   group ids that were merged away -> where their members are now (never a chain)

`PRAGMA user_version` says how many of STEPS a file has had: a new one gets them all, an old one the rest.
"""

from __future__ import annotations

# "ascii" leaves everything beyond ASCII alone, so the words of `text.words` are its tokens, whatever this
# SQLite takes for a letter. Plain FTS, which keeps a copy of the words: a contentless table forgets only from
# SQLite 3.43 on. A word of the title counts three times.
_TABLES = """
CREATE TABLE scheme (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE document (
    doc INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, grp TEXT NOT NULL, host TEXT NOT NULL,
    first_seen INTEGER NOT NULL, last_seen INTEGER NOT NULL, fingerprint TEXT NOT NULL,
    scheme INTEGER NOT NULL, title TEXT NOT NULL, url TEXT, site TEXT, date TEXT, language TEXT NOT NULL
);
CREATE INDEX document_group ON document (grp, first_seen, id);
CREATE TABLE payload (
    doc INTEGER PRIMARY KEY, keys TEXT NOT NULL, body BLOB NOT NULL, article REAL NOT NULL, text TEXT NOT NULL
);
CREATE TABLE band (scheme INTEGER, key TEXT, doc INTEGER, PRIMARY KEY (scheme, key, doc)) WITHOUT ROWID;
CREATE TABLE redirect (loser TEXT PRIMARY KEY, winner TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX redirect_winner ON redirect (winner);
CREATE VIRTUAL TABLE words USING fts5 (title, text, tokenize = "ascii tokenchars '_'");
INSERT INTO words (words, rank) VALUES ('rank', 'bm25(3.0, 1.0)');
"""
_CREDITS = """
ALTER TABLE document ADD COLUMN author TEXT NOT NULL DEFAULT '';
ALTER TABLE document ADD COLUMN image TEXT;
"""
STEPS = (_TABLES, _CREDITS)  # files have had them: a change is one more step
VERSION = len(STEPS)

# what a file of another version looks like to who may not change it
UNCHANGED = {1: "CREATE TEMP VIEW document AS SELECT *, '' AS author, NULL AS image FROM main.document"}

STATE = "SELECT user_version, (SELECT count(*) FROM sqlite_master) FROM pragma_user_version"

SITE = "coalesce(nullif(document.site, ''), document.host)"
COPY = f"""document.id, document.title, document.url, {SITE}, document.date, document.language,
    document.author, document.image"""

_RECORD = """document.id, document.grp, document.host, scheme.name, payload.keys, payload.body,
    document.first_seen, document.last_seen, document.fingerprint"""
_FROM = """FROM document JOIN payload ON payload.doc = document.doc
    JOIN scheme ON scheme.number = document.scheme"""

GET = f"SELECT {_RECORD} {_FROM} WHERE document.id = ?"
MEMBERS = f"SELECT {_RECORD} {_FROM} WHERE document.grp = ? ORDER BY document.first_seen, document.id"
CANDIDATES = f"""
    WITH sharing AS (
        SELECT doc, count(*) AS shared FROM band
        WHERE scheme = ? AND key IN (SELECT value FROM json_each(?)) GROUP BY doc
    ), nearest AS (
        SELECT doc, shared FROM sharing JOIN document USING (doc) ORDER BY shared DESC, id LIMIT ?
    )
    SELECT {_RECORD} {_FROM} JOIN nearest ON nearest.doc = document.doc ORDER BY shared DESC, document.id
"""
_DOCUMENT = f"""{_RECORD}, payload.text, document.title, document.date, document.language, document.url,
    document.site, payload.article, document.author, document.image"""
READ = f"SELECT {_DOCUMENT} {_FROM} WHERE document.id = ?"
SCAN = f"SELECT {_DOCUMENT} {_FROM} WHERE document.id > ? ORDER BY document.id LIMIT ?"
OUTDATED = """SELECT count(*) FROM document JOIN scheme ON scheme.number = document.scheme
    WHERE scheme.name NOT IN (SELECT value FROM json_each(?))"""
COPIES = f"SELECT {COPY} FROM document WHERE grp = ? ORDER BY first_seen, id LIMIT ?"

KNOWN = """
    SELECT document.doc, document.scheme, payload.keys FROM document JOIN payload USING (doc) WHERE id = ?
"""
INSERT_DOCUMENT = f"INSERT INTO document VALUES ({', '.join('?' * 15)})"
INSERT_PAYLOAD = "INSERT INTO payload VALUES (?, ?, ?, ?, ?)"
INSERT_BAND = "INSERT OR IGNORE INTO band VALUES (?, ?, ?)"
INSERT_WORDS = "INSERT INTO words (rowid, title, text) VALUES (?, ?, ?)"

FORGET_BAND = "DELETE FROM band WHERE scheme = ? AND key = ? AND doc = ?"
FORGET = tuple(
    f"DELETE FROM {table} WHERE {key} = ?"
    for table, key in (
        ("document", "doc"),
        ("payload", "doc"),
        ("words", "rowid"),
    )
)

# all moves of a call at once: a group may be left by its members and joined by others in one call
TEMPORARY = "CREATE TEMP TABLE move (loser TEXT PRIMARY KEY, winner TEXT NOT NULL)"
MOVE = (
    *(
        f"UPDATE {table} SET {column} = (SELECT move.winner FROM move WHERE move.loser = {table}.{column}) "
        f"WHERE {column} IN (SELECT loser FROM move)"
        for table, column in (("document", "grp"), ("redirect", "winner"))
    ),
    "INSERT OR REPLACE INTO redirect SELECT loser, winner FROM move",
    "DELETE FROM move",
)

# -- what `check` counts: what it says of none, what it says behind a number, and the number

COUNTS = {
    "groups": (
        "every document has one",
        "documents without a group: run dup-groups backfill",
        "SELECT count(*) FROM document WHERE grp = ''",
    ),
    "heads": (
        "every group has the document that names it",
        "groups without the document that names them",
        "SELECT count(DISTINCT grp) FROM document WHERE grp NOT IN (SELECT id FROM document)",
    ),
    "redirects": (
        "each leads to where a group is now",
        "redirects that lead to another redirect",
        "SELECT count(*) FROM redirect WHERE winner IN (SELECT loser FROM redirect)",
    ),
    "words": (
        "every document can be found by its words",
        "documents that no search can find: run dup-groups backfill",
        "SELECT count(*) FROM document WHERE doc NOT IN (SELECT rowid FROM words)",
    ),
}
