"""The records of stories in a SQLite file, written by the transaction that changes their groups.

Documents that join a story as its youngest are added to its record. For all else, such as a move or a
deletion, which triggers notice, the members are counted anew, once a transaction. A document without copies
is a look-up in the index of groups.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, get_args

from dupgroups.engines import story_credits
from dupgroups.engines.common import ties_of_lines
from dupgroups.engines.sqlite import schema as sql
from dupgroups.engines.sqlite.row_codec import unpack_text
from dupgroups.engines.story_credits import CreditedCopy, StoryCredits
from dupgroups.errors import InputError
from dupgroups.model import Document, Record, StoryOrder, StoryRecord

ReadCredit = Callable[[Sequence[Any]], CreditedCopy]
"""Makes a copy of a row, with the agency that it credits."""


class _Counted(NamedTuple):
    """A record, the names of the sites that it counts, and the credits by which it counts sources."""

    record: StoryRecord
    site_names: frozenset[str]
    credits: StoryCredits = StoryCredits()

    @classmethod
    def of_members(cls, row: Sequence[Any]) -> _Counted:
        """The figures of members, without credits."""
        names = _names_in(row[8])
        return cls(replace(_record_of([*row[:8], 1, "{}"]), sites=len(names)), frozenset(names))

    @classmethod
    def of_story(cls, row: Sequence[Any]) -> _Counted:
        return cls(_record_of(row), frozenset(_names_in(row[10])), StoryCredits.from_json(json.loads(row[9])))

    def with_members(self, joined: _Counted, credited: StoryCredits) -> _Counted:
        """The story with more members, of which this is the record."""
        mine = self.record
        more = joined.record
        names = self.site_names | joined.site_names
        dates = [mine.first_published, mine.last_published, more.first_published, more.last_published]
        stated = [date for date in dates if date is not None]
        record = StoryRecord(
            mine.group,
            copies=mine.copies + more.copies,
            sites=len(names),
            first_published=min(stated, default=None),
            last_published=max(stated, default=None),
            first_seen=min(mine.first_seen, more.first_seen),
            last_seen=max(mine.last_seen, more.last_seen),
            languages=tuple(sorted({*mine.languages, *more.languages})),
        )
        return _Counted(record, names, credited)

    def row(self) -> tuple[object, ...]:
        record, credited = self.record, self.credits
        dates = record.first_published, record.last_published, record.first_seen, record.last_seen
        figures = record.group, record.copies, record.sites, *dates, json.dumps(record.languages)
        return *figures, credited.sources, json.dumps(credited.to_json()), json.dumps(sorted(self.site_names))


def find_agencies(documents: Sequence[Document]) -> dict[str, tuple[str, ...]]:
    """The agencies that documents credit, by id; only of those that join others, or that others here join."""
    sizes = Counter(document.record.group for document in documents)
    return {
        record.id: story_credits.find_agencies(content.text, content.author, content.source)
        for record, content in ((document.record, document.content) for document in documents)
        if record.group != record.id or sizes[record.id] > 1
    }


def note_joined(db: sqlite3.Connection, records: Collection[tuple[int, Record]]) -> None:
    """Note the groups of documents that have been written, by their numbers, but of those that are alone."""
    named = [record.id for _, record in records if record.group == record.id]
    joined = [(doc, record.group) for doc, record in records if record.group != record.id]
    db.executemany(sql.JOIN_GROUP, joined)
    db.execute(sql.TOUCH_NAMED, [json.dumps(named)])


def write_stories(db: sqlite3.Connection, agencies: Mapping[str, tuple[str, ...]] | None = None) -> None:
    """Write the records of the groups that this transaction changed; those of equal figures, too, as a member
    may have another text now. `agencies`: those of `find_agencies`; the texts of others are read.
    """
    if not db.execute(sql.HAS_CHANGES).fetchone()[0]:
        return
    db.execute(sql.TOUCH_NEW)
    db.execute(sql.LEAVE_TOUCHED)
    read = partial(_read_credit, agencies or {})
    changed = [*_recount(db, read), *_add_joined(db, read)]
    db.executemany(sql.REPLACE_STORY, (story.row() for story in changed))
    db.execute("DELETE FROM touched")
    db.execute("DELETE FROM joined")


def _recount(db: sqlite3.Connection, read: ReadCredit) -> Iterable[_Counted]:
    """Count the members of stories, and of groups that are no story any longer."""
    stored = {record.group: record for record in map(_record_of, db.execute(sql.TOUCHED_STORIES))}
    for story in map(_Counted.of_members, db.execute(sql.COUNT_MEMBERS).fetchall()):
        former = stored.get(story.record.group)
        if story.record.is_story:
            oldest = db.execute(sql.FIRST_MEMBERS, [story.record.group, story_credits.MAX_SOURCED_COPIES])
            yield story._replace(credits=StoryCredits().with_copies([*map(read, oldest)]))
        elif former and former.is_story:
            yield story


def _add_joined(db: sqlite3.Connection, read: ReadCredit) -> Iterable[_Counted]:
    stored = {story.record.group: story for story in map(_Counted.of_story, db.execute(sql.JOINED_STORIES))}
    for joined in map(_Counted.of_members, db.execute(sql.COUNT_JOINED).fetchall()):
        story = stored[joined.record.group]
        yield story.with_members(joined, _add_credits(db, read, story))


def _add_credits(db: sqlite3.Connection, read: ReadCredit, story: _Counted) -> StoryCredits:
    """The credits of a story with those of the members that joined it, if they are among its oldest."""
    group, unread = story.record.group, story_credits.MAX_SOURCED_COPIES - story.record.copies
    if unread <= 0:
        return story.credits

    def read_agencies(ids: Collection[str]) -> Mapping[str, tuple[str, ...]]:
        rows = db.execute(sql.MEMBERS_AMONG, [json.dumps([*ids]), group])
        return {copy.id: copy.agencies for copy in map(read, rows)}

    joined = [*map(read, db.execute(sql.JOINED_MEMBERS, [group, unread]))]
    return story.credits.with_copies(joined, read_agencies)


def _read_credit(agencies: Mapping[str, tuple[str, ...]], row: Sequence[Any]) -> CreditedCopy:
    id_, author, source, text, ties = row
    named = agencies.get(id_)
    if named is None:
        named = story_credits.find_agencies(unpack_text(text), author, source)
    return CreditedCopy(id_, named, ties_of_lines(json.loads(ties)))


def stories(db: sqlite3.Connection, order: StoryOrder, since: int | None, limit: int) -> list[StoryRecord]:
    """See Engine.stories."""
    if order not in get_args(StoryOrder):
        raise InputError(f"unknown order {order!r}: use {', '.join(get_args(StoryOrder))}")
    rows = db.execute(sql.LIST_STORIES.format(order=order), {"since": since, "limit": limit})
    return [*map(_record_of, rows)]


def changed_stories(db: sqlite3.Connection, after: object, limit: int) -> tuple[list[StoryRecord], object]:
    """See Engine.changed_stories. A mark is the number of a change."""
    last = db.execute(sql.LAST_CHANGE).fetchone()[0]
    mark = after if isinstance(after, int) and after <= last else 0
    rows = db.execute(sql.CHANGED_STORIES, (mark, limit)).fetchall()
    return [*map(_record_of, rows)], rows[-1][-1] if rows else after


def _record_of(row: Sequence[Any]) -> StoryRecord:
    group, copies, sites, first, last, first_seen, last_seen, languages, sources, credited = row[:10]
    codes = tuple(sorted(_names_in(languages)))
    agencies = StoryCredits.from_json(json.loads(credited)).agencies
    return StoryRecord(group, copies, sites, first, last, first_seen, last_seen, codes, sources, agencies)


def _names_in(text: str) -> set[str]:
    return {name for name in json.loads(text) if name}
