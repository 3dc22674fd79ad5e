# ruff: noqa: S608 - only constants are put together here, values are parameters
"""The tables of the SQLite engine and the statements over them, as plain SQL.

    document   one narrow row per document: what lists, counts and groups need
    payload    the remaining wide columns: signature, text and ties, read only when they are needed
    band       (scheme, key) -> document, the look-up of candidates
    terms      FTS5 over the words of title and text, their stems, and their pairs (`text.terms`)
    words      FTS5 over words alone: what earlier versions stored, until a document is stored again
    redirect   group ids that were merged away -> the group of their members now (never a chain)
    correction what people said of documents: a log that is only ever added to

`PRAGMA user_version` is the number of STEPS applied to a file: a new file gets all of them, an old one the
remaining ones. `PRAGMA application_id` tells our files from those of other programs.
"""

from __future__ import annotations

# "ascii" does not touch characters beyond ASCII, so its tokens are the words of `text.words`, whatever this
# version of SQLite considers a letter. The table keeps a copy of the words, because a contentless table can
# delete rows only since SQLite 3.43. A word of the title counts three times.
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
_HEADS = """
ALTER TABLE document ADD COLUMN length INTEGER NOT NULL DEFAULT 0;
ALTER TABLE document ADD COLUMN canonical INTEGER NOT NULL DEFAULT 1;
ALTER TABLE document ADD COLUMN head INTEGER NOT NULL DEFAULT 0;
UPDATE document SET head = id = grp, length = (
    SELECT length(payload.text) FROM payload WHERE payload.doc = document.doc
);
CREATE INDEX document_head ON document (grp) WHERE head;
"""
_SCOPES = """
ALTER TABLE document ADD COLUMN published INTEGER;
ALTER TABLE document ADD COLUMN scope TEXT NOT NULL DEFAULT '';
UPDATE document SET published = CAST(julianday(substr(date, 1, 10)) - 2440587.5 AS INTEGER);
"""
_TIES = "ALTER TABLE payload ADD COLUMN ties TEXT NOT NULL DEFAULT '[]';"
_DAYS = """
ALTER TABLE document ADD COLUMN day TEXT;
UPDATE document SET day = date(date) WHERE date GLOB '[0-9][0-9][0-9][0-9]-*';
CREATE INDEX document_day ON document (day);
"""
_TERMS = """
CREATE VIRTUAL TABLE terms USING fts5 (title, text, stems, pairs, tokenize = "ascii tokenchars '_'");
INSERT INTO terms (terms, rank) VALUES ('rank', 'bm25(3.0, 1.0, 0.0, 1.0)');
"""
_CORRECTIONS = """
CREATE TABLE correction (
    number INTEGER PRIMARY KEY, kind TEXT NOT NULL, ids TEXT NOT NULL, author TEXT NOT NULL,
    at INTEGER NOT NULL, undoes INTEGER, before TEXT NOT NULL, after TEXT
);
"""
# never edit a step, existing files have had it: add another
STEPS = (_TABLES, _CREDITS, _HEADS, _SCOPES, _TIES, _DAYS, _TERMS, _CORRECTIONS)
VERSION = len(STEPS)
APPLICATION_ID = int.from_bytes(b"dupg", "big")

# how a reader that may not change a file of an older version sees it
_NO_CORRECTIONS = """CREATE TEMP VIEW correction AS SELECT NULL AS number, NULL AS kind, NULL AS ids,
    NULL AS author, NULL AS at, NULL AS undoes, NULL AS before, NULL AS after WHERE 0"""
_NO_DAYS = "date(date) AS day FROM main.document"
_NO_SCOPES = f"NULL AS published, '' AS scope, {_NO_DAYS}"
_NO_HEADS = f"0 AS length, 1 AS canonical, id = grp AS head, {_NO_SCOPES}"
_NO_TERMS = (
    "CREATE VIRTUAL TABLE temp.terms USING fts5 (title, text, stems, pairs)",
    "CREATE VIRTUAL TABLE temp.vocabulary_of_terms USING fts5vocab (temp, terms, row)",
)
_NO_TIES = ("CREATE TEMP VIEW payload AS SELECT *, '[]' AS ties FROM main.payload", *_NO_TERMS)
UNCHANGED = {
    1: (
        f"CREATE TEMP VIEW document AS SELECT *, '' AS author, NULL AS image, {_NO_HEADS}",
        *_NO_TIES,
        _NO_CORRECTIONS,
    ),
    2: (f"CREATE TEMP VIEW document AS SELECT *, {_NO_HEADS}", *_NO_TIES, _NO_CORRECTIONS),
    3: (f"CREATE TEMP VIEW document AS SELECT *, {_NO_SCOPES}", *_NO_TIES, _NO_CORRECTIONS),
    4: (f"CREATE TEMP VIEW document AS SELECT *, {_NO_DAYS}", *_NO_TIES, _NO_CORRECTIONS),
    5: (f"CREATE TEMP VIEW document AS SELECT *, {_NO_DAYS}", *_NO_TERMS, _NO_CORRECTIONS),
    6: (*_NO_TERMS, _NO_CORRECTIONS),
    7: (_NO_CORRECTIONS,),
}

SITE = "coalesce(nullif(document.site, ''), document.host)"
COPY = f"""document.id, document.title, document.url, {SITE}, document.date, document.language,
    document.author, document.image"""

_RECORD = """document.id, document.grp, document.host, scheme.name, payload.keys, payload.body,
    document.first_seen, document.last_seen, document.fingerprint,
    document.length, document.canonical, document.published, payload.ties, document.head"""
_FROM = """FROM document JOIN payload ON payload.doc = document.doc
    JOIN scheme ON scheme.number = document.scheme"""

GET = f"SELECT {_RECORD} {_FROM} WHERE document.id = ?"
MEMBERS = f"""SELECT {_RECORD} {_FROM} WHERE document.grp = ? ORDER BY document.first_seen, document.id
    LIMIT ?"""
HEADS = f"SELECT {_RECORD} {_FROM} WHERE document.grp = ? AND document.head ORDER BY document.id"
CANDIDATES = f"""
    WITH wanted AS (
        SELECT DISTINCT value AS key, (
            SELECT doc FROM band WHERE scheme = :scheme AND key = value ORDER BY doc LIMIT 1 OFFSET :crowd
        ) AS latest FROM json_each(:keys)
    ), sharing AS (
        SELECT band.doc, count(*) AS shared FROM wanted CROSS JOIN band
        WHERE band.scheme = :scheme AND band.key = wanted.key AND band.doc < coalesce(latest, {2**63 - 1})
        GROUP BY band.doc
    ), nearest AS (
        SELECT doc, shared FROM sharing JOIN document USING (doc) ORDER BY shared DESC, id LIMIT :limit
    )
    SELECT {_RECORD} {_FROM} JOIN nearest ON nearest.doc = document.doc ORDER BY shared DESC, document.id
"""
_DOCUMENT = f"""{_RECORD}, payload.text, document.title, document.date, document.language, document.url,
    document.site, payload.article, document.author, document.image, document.scope"""
READ = f"SELECT {_DOCUMENT} {_FROM} WHERE document.id = ?"
SCAN = f"SELECT {_DOCUMENT} {_FROM} WHERE document.id > ? ORDER BY document.id LIMIT ?"
MEMBERSHIPS = """SELECT grp, first_seen, id, head FROM document
    WHERE (grp, first_seen, id) > (?, ?, ?) ORDER BY grp, first_seen, id LIMIT ?"""
OUTDATED = """SELECT count(*) FROM document JOIN scheme ON scheme.number = document.scheme
    WHERE scheme.name NOT IN (SELECT value FROM json_each(?))"""
SITES = f"""SELECT {SITE} AS name, count(*) AS documents, max(last_seen) FROM document
    GROUP BY name ORDER BY documents DESC, name"""
SIZES = """SELECT size, count(*) FROM (SELECT count(*) AS size FROM document WHERE grp <> '' GROUP BY grp)
    GROUP BY size"""
COPIES = f"SELECT {COPY} FROM document WHERE grp = ? ORDER BY first_seen, id LIMIT ?"
FORMER_NAMES = "SELECT loser FROM redirect WHERE winner = ? ORDER BY loser LIMIT ?"

KNOWN = """
    SELECT document.doc, document.scheme, payload.keys FROM document JOIN payload USING (doc) WHERE id = ?
"""
INSERT_DOCUMENT = f"INSERT INTO document VALUES ({', '.join('?' * 21)})"
INSERT_PAYLOAD = "INSERT INTO payload VALUES (?, ?, ?, ?, ?, ?)"
INSERT_BAND = "INSERT OR IGNORE INTO band VALUES (?, ?, ?)"
INSERT_TERMS = "INSERT INTO terms (rowid, title, text, stems, pairs) VALUES (?, ?, ?, ?, ?)"

FORGET_BAND = "DELETE FROM band WHERE scheme = ? AND key = ? AND doc = ?"
FORGET = tuple(
    f"DELETE FROM {table} WHERE {key} = ?"
    for table, key in (
        ("document", "doc"),
        ("payload", "doc"),
        ("terms", "rowid"),
        ("words", "rowid"),
    )
)

CORRECTIONS = "SELECT number, kind, ids, author, at, undoes, before, after FROM correction ORDER BY number"
INSERT_CORRECTION = "INSERT INTO correction VALUES (?, ?, ?, ?, ?, ?, ?, ?)"

# all moves of a call are applied at once: a group may lose members and get others in the same call
TEMPORARY = "CREATE TEMP TABLE move (loser TEXT PRIMARY KEY, winner TEXT NOT NULL, head TEXT NOT NULL)"
MOVE = (
    """UPDATE document SET (grp, head) = (
        SELECT move.winner, move.head = document.id FROM move WHERE move.loser = document.grp
    ) WHERE grp IN (SELECT loser FROM move)""",
    """UPDATE redirect SET winner = (SELECT move.winner FROM move WHERE move.loser = redirect.winner)
    WHERE winner IN (SELECT loser FROM move)""",
    "INSERT OR REPLACE INTO redirect SELECT loser, winner FROM move",
    "DELETE FROM move",
)

# -- what `check` counts: the message if the count is 0, the message after any other count, and the count

COUNTS = {
    "groups": (
        "every document has a group",
        "documents without a group: run dup-groups backfill",
        "SELECT count(*) FROM document WHERE grp = ''",
    ),
    "heads": (
        "every group has its oldest document and one head",
        "groups without the document that names them, or with no head or several",
        """SELECT count(*) FROM (
            SELECT grp FROM document GROUP BY grp HAVING sum(head) <> 1 OR NOT max(id = grp)
        )""",
    ),
    "redirects": (
        "every redirect leads to an existing group",
        "redirects that lead to another redirect",
        "SELECT count(*) FROM redirect WHERE winner IN (SELECT loser FROM redirect)",
    ),
    "words": (
        "every document can be found by its words",
        "documents cannot be found by any search: run dup-groups backfill",
        """SELECT count(*) FROM document
            WHERE doc NOT IN (SELECT rowid FROM terms) AND doc NOT IN (SELECT rowid FROM words)""",
    ),
    "forms": (
        "every document can be found by other forms of its words",
        "documents are found by exact words only: run dup-groups reindex",
        "SELECT count(*) FROM words",
    ),
}
