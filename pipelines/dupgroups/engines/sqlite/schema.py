# ruff: noqa: S608 - only constants are put together here, values are parameters
"""The tables of the SQLite engine and the statements over them, as plain SQL.

    document   one narrow row per document: what lists, counts and groups need
    payload    the remaining wide columns: signature, text (`row_codec.pack_text`) and ties, read when needed
    holder     (scheme, number of a key) -> document, the look-up of candidates
    text_index FTS5 over the words of title and text, their stems, and their pairs (`text.terms`); it holds
               no copy of them, so `payload.indexed` has a digest of the terms that a document was indexed by
    beginnings FTS5 over the first two, three and four letters of these words and stems, for `flo*`
    byline     name of an author -> document
    redirect   group ids that were merged away -> the group of their members now (never a chain)
    correction what people said of documents: a log that is only ever added to
    revision   (id, when it was changed) -> the delta to what the document said before (`text.deltas`)
    story      group -> its figures (`model.story_records`), of every group that has or had several members;
               `changed` grows with every write of a row; `site_names` are those that `sites` counts,
               `credits` the agencies that `sources` counts (`engines.story_credits`)

`PRAGMA user_version` is the version of these tables; `PRAGMA application_id` tells our files from those of
other programs.
"""

from __future__ import annotations

from dupgroups.engines.base import MAX_REVISIONS
from dupgroups.model import MIN_STORY_COPIES, MINUTE_MICROSECONDS

SCHEMA_VERSION = 1
APPLICATION_ID = int.from_bytes(b"dupg", "big")

# "ascii" does not touch characters beyond ASCII, so its tokens are the words of `text.words`, whatever this
# version of SQLite considers a letter. A word of the title counts three times.
#
# A document takes half the space if FTS5 keeps no copy of its terms. Contentless tables can delete rows in
# every version of SQLite, if they are given the terms of the row (`contentless_delete` needs SQLite 3.43, and
# earlier ones could not open the file). Sixteen segments of a size are merged at once: the default, four,
# writes each word twice as often; a batch fits into memory (`hashsize`, in bytes) and becomes one segment.
#
# FTS5 reads all occurrences of the words with a prefix before it returns the first document, and all those of
# the words that it lists. So words have a table of their own, and their beginnings an index, which takes some
# hundred bytes a document without positions. (The option `prefix` of FTS5 keeps them: four times the size.)
#
# Lists without words are read in their order, which ends early: of all documents, and of a site. The columns
# after the id are those of filters, so that what they leave out is not read.
TABLES = f"""
CREATE TABLE scheme (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE document (
    doc INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, grp TEXT NOT NULL, host TEXT NOT NULL,
    first_seen INTEGER NOT NULL, last_seen INTEGER NOT NULL, fingerprint TEXT NOT NULL,
    scheme INTEGER NOT NULL, title TEXT NOT NULL, url TEXT, site TEXT, date TEXT, language TEXT NOT NULL,
    author TEXT NOT NULL, image TEXT, length INTEGER NOT NULL, canonical INTEGER NOT NULL,
    head INTEGER NOT NULL, published INTEGER, scope TEXT NOT NULL, day TEXT,
    source TEXT NOT NULL DEFAULT '', owner TEXT NOT NULL DEFAULT ''
);
CREATE INDEX document_group ON document (grp, first_seen, id);
CREATE INDEX document_head ON document (grp) WHERE head;
CREATE INDEX document_textless ON document (doc) WHERE length = 0;
CREATE INDEX document_day ON document (day, language, head);
CREATE INDEX document_newest ON document (
    coalesce(date, '') DESC, last_seen DESC, id, language, day, head
);
CREATE INDEX document_site ON document (
    coalesce(nullif(host, ''), site, ''), coalesce(date, '') DESC, last_seen DESC, id, language, day, head
);
CREATE TABLE payload (
    doc INTEGER PRIMARY KEY, keys TEXT NOT NULL, body BLOB NOT NULL, article REAL NOT NULL, text NOT NULL,
    ties TEXT NOT NULL, indexed BLOB NOT NULL
);
CREATE TABLE holder (
    scheme INTEGER, key INTEGER, doc INTEGER, PRIMARY KEY (scheme, key, doc)
) WITHOUT ROWID;
CREATE TABLE byline (name TEXT, doc INTEGER, PRIMARY KEY (name, doc)) WITHOUT ROWID;
CREATE TABLE redirect (loser TEXT PRIMARY KEY, winner TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX redirect_winner ON redirect (winner);
CREATE TABLE correction (
    number INTEGER PRIMARY KEY, kind TEXT NOT NULL, ids TEXT NOT NULL, author TEXT NOT NULL,
    at INTEGER NOT NULL, undoes INTEGER, carried_out INTEGER NOT NULL
);
CREATE VIRTUAL TABLE text_index USING fts5 (
    title, text, stems, pairs, content = '', tokenize = "ascii tokenchars '_'"
);
INSERT INTO text_index (text_index, rank) VALUES
    ('rank', 'bm25(3.0, 1.0, 0.0, 1.0)'), ('automerge', 16), ('crisismerge', 24), ('hashsize', 33554432);
CREATE VIRTUAL TABLE beginnings USING fts5 (
    terms, content = '', detail = none, columnsize = 0, tokenize = "ascii tokenchars '_'"
);
INSERT INTO beginnings (beginnings, rank) VALUES
    ('automerge', 16), ('crisismerge', 24), ('hashsize', 33554432);
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA_VERSION};
"""
# also in files that were made without them
HAS_SOURCES = "SELECT count(*) FROM pragma_table_info('document') WHERE name = 'source'"
SOURCES = [f"ALTER TABLE document ADD COLUMN {name} TEXT NOT NULL DEFAULT ''" for name in ("source", "owner")]
REVISIONS = """CREATE TABLE IF NOT EXISTS revision (
    id TEXT, at INTEGER, delta BLOB NOT NULL, PRIMARY KEY (id, at)
) WITHOUT ROWID"""
# A row is replaced by one with a number that was never used: who follows changes asks for greater ones.
STORIES = (
    "DROP TABLE IF EXISTS story",  # of a file that counts no sources in it
    """CREATE TABLE story (
        changed INTEGER PRIMARY KEY AUTOINCREMENT, grp TEXT NOT NULL UNIQUE, copies INTEGER NOT NULL,
        sites INTEGER NOT NULL, first_published INTEGER, last_published INTEGER, first_seen INTEGER NOT NULL,
        last_seen INTEGER NOT NULL, languages TEXT NOT NULL, sources INTEGER NOT NULL,
        credits TEXT NOT NULL, site_names TEXT NOT NULL
    )""",
    "INSERT INTO touched SELECT grp FROM document WHERE grp <> '' GROUP BY grp HAVING count(*) > 1",
)
TOUCH_ALL = """INSERT OR IGNORE INTO touched SELECT grp FROM document WHERE grp <> '' GROUP BY grp
    HAVING count(*) > 1 UNION SELECT grp FROM story"""
HAS_STORIES = "SELECT count(*) FROM pragma_table_info('story') WHERE name = 'credits'"
# one statement, so that all of it is from one moment: another process may be creating the file
IDENTITY = """SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master)
    FROM pragma_application_id, pragma_user_version"""

SITE = "coalesce(nullif(document.host, ''), document.site, '')"  # as in the index `document_site`
NAME = "coalesce(nullif(document.site, ''), document.host)"
DATE = "coalesce(document.date, '')"  # as in the index `document_newest`
COPY = f"""document.id, document.title, document.url, {NAME}, document.date, document.language,
    document.author, document.image, document.owner"""

_RECORD = """document.id, document.grp, document.host, scheme.name, payload.keys, payload.body,
    document.first_seen, document.last_seen, document.fingerprint,
    document.length, document.canonical, document.published, payload.ties, document.head"""
_FROM_DOCUMENT = """FROM document JOIN payload ON payload.doc = document.doc
    JOIN scheme ON scheme.number = document.scheme"""

GET = f"SELECT {_RECORD} {_FROM_DOCUMENT} WHERE document.id = ?"
MEMBERS = f"""SELECT {_RECORD} {_FROM_DOCUMENT} WHERE document.grp = ? ORDER BY document.first_seen,
document.id
    LIMIT ?"""
HEADS = f"SELECT {_RECORD} {_FROM_DOCUMENT} WHERE document.grp = ? AND document.head ORDER BY document.id"
# of a key that more than :crowd hold, those before the next one
HOLDERS = f"""
    SELECT wanted.value, holder.doc FROM json_each(:keys) AS wanted CROSS JOIN holder
    WHERE holder.scheme = :scheme AND holder.key = wanted.value AND holder.doc < coalesce((
        SELECT doc FROM holder WHERE scheme = :scheme AND key = wanted.value
        ORDER BY doc LIMIT 1 OFFSET :crowd
    ), {2**63 - 1})
"""
IDS = "SELECT doc, id FROM document WHERE doc IN (SELECT value FROM json_each(?))"
RECORDS = (
    f"SELECT {_RECORD}, document.doc {_FROM_DOCUMENT} WHERE document.doc IN (SELECT value FROM json_each(?))"
)
_DOCUMENT = f"""{_RECORD}, payload.text, document.title, document.date, document.language, document.url,
    document.site, payload.article, document.author, document.image, document.scope, document.source,
    document.owner"""
READ = f"SELECT {_DOCUMENT} {_FROM_DOCUMENT} WHERE document.id = ?"
TEXTS = """SELECT document.id, document.title, payload.text FROM document JOIN payload USING (doc)
    WHERE document.id IN (SELECT value FROM json_each(?))"""
SCAN = f"SELECT {_DOCUMENT} {_FROM_DOCUMENT} WHERE document.id > ? ORDER BY document.id LIMIT ?"
MEMBERSHIPS = """SELECT grp, first_seen, id, head FROM document
    WHERE (grp, first_seen, id) > (?, ?, ?) ORDER BY grp, first_seen, id LIMIT ?"""
COUNT_OUTDATED = """SELECT count(*) FROM document JOIN scheme ON scheme.number = document.scheme
    WHERE scheme.name NOT IN (SELECT value FROM json_each(?))"""
SITES = f"""SELECT {SITE} AS name, count(*) AS documents, max(last_seen) FROM document
    GROUP BY name ORDER BY documents DESC, name"""
SIZES = """SELECT size, count(*) FROM (SELECT count(*) AS size FROM document WHERE grp <> '' GROUP BY grp)
    GROUP BY size"""
COPIES = f"SELECT {COPY} FROM document WHERE grp = ? ORDER BY first_seen, id LIMIT ?"
FORMER_NAMES = "SELECT loser FROM redirect WHERE winner = ? ORDER BY loser LIMIT ?"

SELECT_KNOWN = """SELECT document.doc, document.scheme, payload.keys, payload.indexed, document.title,
payload.text,
    document.language, document.author FROM document JOIN payload USING (doc) WHERE id = ?"""
# numbers of documents whose terms could not be taken back are not used again
SELECT_LAST = """SELECT max(
    coalesce((SELECT max(doc) FROM document), 0), coalesce((SELECT max(id) FROM text_index_docsize), 0)
)"""
INSERT_DOCUMENT = f"INSERT INTO document VALUES ({', '.join('?' * 23)})"
INSERT_PAYLOAD = "INSERT INTO payload VALUES (?, ?, ?, ?, ?, ?, ?)"
INSERT_HOLDER = "INSERT OR IGNORE INTO holder VALUES (?, ?, ?)"
INSERT_BYLINE = "INSERT OR IGNORE INTO byline VALUES (?, ?)"
INSERT_TERMS = "INSERT INTO text_index (rowid, title, text, stems, pairs) VALUES (?, ?, ?, ?, ?)"
INSERT_BEGINNINGS = "INSERT INTO beginnings (rowid, terms) VALUES (?, ?)"

FORGET_HOLDER = "DELETE FROM holder WHERE scheme = ? AND key = ? AND doc = ?"
FORGET_BYLINE = "DELETE FROM byline WHERE name = ? AND doc = ?"
FORGET_TERMS = """INSERT INTO text_index (text_index, rowid, title, text, stems, pairs)
    VALUES ('delete', ?, ?, ?, ?, ?)"""
FORGET_BEGINNINGS = "INSERT INTO beginnings (beginnings, rowid, terms) VALUES ('delete', ?, ?)"
FORGET = tuple(f"DELETE FROM {table} WHERE doc = ?" for table in ("document", "payload"))

SELECT_REVISIONS = """SELECT revision.id, at, delta, title, text FROM json_each(?) AS wanted
    JOIN revision ON revision.id = wanted.value JOIN document ON document.id = revision.id
    JOIN payload USING (doc) ORDER BY revision.id, at DESC"""
# each leads from the one after it, so their order must be that of the changes, whatever the clock says
INSERT_REVISION = """INSERT INTO revision VALUES (
    :id, max(:at, coalesce((SELECT max(at) + 1 FROM revision WHERE id = :id), 0)), :delta
)"""
SELECT_GONE = "SELECT DISTINCT id FROM revision WHERE id NOT IN (SELECT id FROM document)"
FORGET_REVISIONS = "DELETE FROM revision WHERE id = ?"
FORGET_OLD_REVISIONS = f"""DELETE FROM revision WHERE id = :id AND at <= (
    SELECT at FROM revision WHERE id = :id ORDER BY at DESC LIMIT 1 OFFSET {MAX_REVISIONS}
)"""

CORRECTIONS = "SELECT * FROM correction WHERE number > ? ORDER BY number"
INSERT_CORRECTION = "INSERT INTO correction VALUES (?, ?, ?, ?, ?, ?, ?)"

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

# -- stories: the groups that a transaction changes, unless they have one member and had no others before

_TOUCH = "INSERT OR IGNORE INTO touched SELECT {row}.grp WHERE {row}.grp <> ''"
_HAS_STORY = "EXISTS (SELECT 1 FROM story WHERE grp = {row}.grp)"
TOUCHED_GROUPS = (
    "CREATE TEMP TABLE touched (grp TEXT PRIMARY KEY) WITHOUT ROWID",
    "CREATE TEMP TABLE joined (doc INTEGER PRIMARY KEY, grp TEXT NOT NULL)",
)
STORY_TRIGGERS = (
    f"""CREATE TEMP TRIGGER story_left AFTER DELETE ON main.document WHEN {_HAS_STORY.format(row="OLD")}
        BEGIN {_TOUCH.format(row="OLD")}; END""",
    f"""CREATE TEMP TRIGGER story_moved AFTER UPDATE OF grp ON main.document WHEN NEW.grp <> OLD.grp
        BEGIN {_TOUCH.format(row="OLD")}; {_TOUCH.format(row="NEW")}; END""",
)
_FIGURES = f"""count(document.doc), 0,
    min(document.published) * {MINUTE_MICROSECONDS}, max(document.published) * {MINUTE_MICROSECONDS},
    coalesce(min(document.first_seen), 0), coalesce(max(document.first_seen), 0),
    json_group_array(DISTINCT nullif(document.language, '')), json_group_array(DISTINCT nullif({SITE}, ''))"""
HAS_CHANGES = "SELECT EXISTS (SELECT 1 FROM touched) OR EXISTS (SELECT 1 FROM joined)"
JOIN_GROUP = "INSERT OR REPLACE INTO joined VALUES (?, ?)"
# groups that these documents name and that have others: one statement for all, as nearly all are new
TOUCH_NAMED = """INSERT OR IGNORE INTO touched SELECT grp FROM document
    WHERE grp IN (SELECT value FROM json_each(?)) AND id <> grp"""
COUNT_MEMBERS = f"""SELECT touched.grp, {_FIGURES} FROM touched
    LEFT JOIN document ON document.grp = touched.grp GROUP BY touched.grp"""
# the first copy makes a story, whose members are counted; what joins one as its youngest is added to it
TOUCH_NEW = f"""INSERT OR IGNORE INTO touched SELECT joined.grp FROM joined JOIN document USING (doc)
    WHERE NOT EXISTS (
        SELECT 1 FROM story WHERE story.grp = joined.grp AND copies >= {MIN_STORY_COPIES}
        AND story.last_seen <= document.first_seen
    )"""
LEAVE_TOUCHED = "DELETE FROM joined WHERE grp IN (SELECT grp FROM touched)"
COUNT_JOINED = f"""SELECT joined.grp, {_FIGURES} FROM joined
    JOIN document ON document.doc = joined.doc GROUP BY joined.grp"""
_CREDIT_COLUMNS = "document.id, document.author, document.source, payload.text, payload.ties"
_OLDEST_FIRST = "ORDER BY document.first_seen, document.id LIMIT"
FIRST_MEMBERS = f"""SELECT {_CREDIT_COLUMNS} FROM document JOIN payload USING (doc)
    WHERE document.grp = ? {_OLDEST_FIRST} ?"""
JOINED_MEMBERS = f"""SELECT {_CREDIT_COLUMNS} FROM joined JOIN document USING (doc) JOIN payload USING (doc)
    WHERE joined.grp = ? {_OLDEST_FIRST} ?"""
MEMBERS_AMONG = f"""SELECT {_CREDIT_COLUMNS} FROM document JOIN payload USING (doc)
    WHERE document.id IN (SELECT value FROM json_each(?)) AND document.grp = ?"""
_STORY = (
    "grp, copies, sites, first_published, last_published, first_seen, last_seen, languages, sources, credits"
)
JOINED_STORIES = f"SELECT {_STORY}, site_names FROM story WHERE grp IN (SELECT grp FROM joined)"
TOUCHED_STORIES = f"SELECT {_STORY} FROM touched JOIN story USING (grp)"
REPLACE_STORY = f"INSERT OR REPLACE INTO story ({_STORY}, site_names) VALUES ({', '.join('?' * 11)})"
LIST_STORIES = f"""SELECT {_STORY} FROM story WHERE copies >= {MIN_STORY_COPIES}
    AND (:since IS NULL OR coalesce(last_published, last_seen) >= :since)
    ORDER BY {{order}} DESC, copies DESC, grp LIMIT :limit"""
CHANGED_STORIES = f"SELECT {_STORY}, changed FROM story WHERE changed > ? ORDER BY changed LIMIT ?"
LAST_CHANGE = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'story'"

# -- what `check` counts: the message if the count is 0, the message after any other count, and the count

COUNTS = {
    "groups": (
        "every document has a group",
        "documents without a group: run dup-groups backfill",
        "SELECT count(*) FROM document WHERE grp = ''",
    ),
    "main copies": (
        "every group has its oldest document and one main copy",
        "groups without the document that names them, or with no main copy or several: run "
        "dup-groups regroup",
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
            WHERE doc NOT IN (SELECT id FROM text_index_docsize)""",
    ),
}
