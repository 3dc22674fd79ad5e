"""Which program wrote a SQLite file, and which version of it.

`PRAGMA application_id` says so. A file of an earlier version does not have it: it counts as ours if every
table of its version is there, column by column. Nothing here changes a file.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import NamedTuple

from dupgroups.engines.sqlite_schema import APPLICATION_ID, STEPS, VERSION
from dupgroups.errors import ConfigError

Columns = frozenset[tuple[str, int, str]]
"""(table, position, column); the tables inside the full-text tables are those of SQLite."""

# one statement, so that all of it is from one moment: another process may be creating or updating the file
_STATE = """
SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master), (
    SELECT json_group_array(json_array(known.name, field.cid, field.name))
    FROM sqlite_master AS known JOIN pragma_table_info(known.name) AS field
    WHERE known.sql LIKE 'CREATE TABLE%'
        AND known.name NOT LIKE 'words\\_%' ESCAPE '\\' AND known.name NOT LIKE 'terms\\_%' ESCAPE '\\'
        AND known.name NOT LIKE 'text\\_index\\_%' ESCAPE '\\'
        AND known.name NOT LIKE 'beginnings\\_%' ESCAPE '\\'
), (
    SELECT json_group_array(name) FROM sqlite_master
    WHERE name IN ('words', 'terms', 'text_index', 'beginnings')
        AND sql LIKE 'CREATE VIRTUAL TABLE%USING fts5%'
) FROM pragma_application_id, pragma_user_version
"""


class Identity(NamedTuple):
    """`version` of our tables, 0 in an empty file; `is_marked`: it has our application id."""

    version: int
    is_marked: bool


def identify(db: sqlite3.Connection, name: str) -> Identity:
    """Look at a file. Raises ConfigError, with `name` in it, if it is not ours or too new."""
    mark, version, tables, columns, full_text = db.execute(_STATE).fetchone()
    is_marked = mark == APPLICATION_ID
    if is_marked and version > VERSION:
        raise ConfigError(
            f"{name} was written by a newer dup-groups (version {version} of its tables): upgrade"
        )
    fits = _fits(version, _parsed(columns), frozenset(json.loads(full_text))) if version else not tables
    if is_marked and not fits:
        raise ConfigError(f"{name} lacks tables: restore it from a backup or crawl into a new file")
    if mark not in (0, APPLICATION_ID) or not fits:
        raise ConfigError(f"{name} is the database of another program: name another file")
    return Identity(version, is_marked)


def _fits(version: int, columns: Columns, full_text: frozenset[str]) -> bool:
    """Whether these are our tables in this version (`full_text`: names of some); others may be there too."""
    if not 0 < version <= VERSION:
        return False
    expected, expected_full_text = _tables_of(version)
    tables = {table for table, _, _ in expected}
    return expected_full_text <= full_text and expected == {
        column for column in columns if column[0] in tables
    }


def _tables_of(version: int) -> tuple[Columns, frozenset[str]]:
    with closing(sqlite3.connect(":memory:")) as db:
        for step in STEPS[:version]:
            db.executescript(step)
        *_, columns, full_text = db.execute(_STATE).fetchone()
        return _parsed(columns), frozenset(json.loads(full_text))


def _parsed(columns: str) -> Columns:
    return frozenset((table, position, name) for table, position, name in json.loads(columns))
