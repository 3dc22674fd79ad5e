"""The records of stories in a SQLite file, written by the transaction that changes their groups.

Noted are the groups that get members, and by triggers those that lose or exchange some; a document without
copies is a look-up in the index of groups. What is noted is counted anew from the members, once a
transaction.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Sequence
from typing import Any, get_args

from dupgroups.engines.sqlite import schema as sql
from dupgroups.errors import InputError
from dupgroups.model import Record, StoryOrder, StoryRecord


def note_joined(db: sqlite3.Connection, records: Collection[Record]) -> None:
    """Note the groups of documents that have been written, but of those that are alone."""
    named = [record.id for record in records if record.group == record.id]
    db.executemany(sql.TOUCH_GROUP, {(record.group,) for record in records if record.group != record.id})
    db.execute(sql.TOUCH_NAMED, [json.dumps(named)])


def write_stories(db: sqlite3.Connection) -> None:
    """Write the records of the groups that this transaction touched; those of equal figures, too, as a member
    may have another text now.
    """
    if not db.execute("SELECT EXISTS (SELECT 1 FROM touched)").fetchone()[0]:
        return
    stored = {record.group: record for record in map(_record_of, db.execute(sql.TOUCHED_STORIES))}
    counted = map(_record_of, db.execute(sql.COUNT_MEMBERS).fetchall())
    changed = [
        record
        for record in counted
        if record.is_story or ((old := stored.get(record.group)) and old.is_story)
    ]
    db.executemany(sql.REPLACE_STORY, map(_row_of, changed))
    db.execute("DELETE FROM touched")


def stories(db: sqlite3.Connection, order: StoryOrder, since: int | None, limit: int) -> list[StoryRecord]:
    """See Engine.stories."""
    if order not in get_args(StoryOrder):
        raise InputError(f"unknown order {order!r}: use {', '.join(get_args(StoryOrder))}")
    found = db.execute(sql.LIST_STORIES.format(order=order), {"since": since, "limit": limit})
    return [*map(_record_of, found)]


def changed_stories(db: sqlite3.Connection, after: object, limit: int) -> tuple[list[StoryRecord], object]:
    """See Engine.changed_stories. A mark is the number of a change."""
    last = db.execute(sql.LAST_CHANGE).fetchone()[0]
    mark = after if isinstance(after, int) and after <= last else 0
    rows = db.execute(sql.CHANGED_STORIES, (mark, limit)).fetchall()
    return [*map(_record_of, rows)], rows[-1][-1] if rows else after


def _record_of(row: Sequence[Any]) -> StoryRecord:
    group, copies, sites, first, last, first_seen, last_seen, languages = row[:8]
    codes = sorted(code for code in json.loads(languages) if code)
    return StoryRecord(group, copies, sites, first, last, first_seen, last_seen, tuple(codes))


def _row_of(record: StoryRecord) -> tuple[object, ...]:
    dates = record.first_published, record.last_published, record.first_seen, record.last_seen
    return record.group, record.copies, record.sites, *dates, json.dumps(record.languages)
