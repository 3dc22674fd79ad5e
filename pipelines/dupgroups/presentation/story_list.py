"""Stories by their figures, each with the title of its head: the rows of a table, or JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from dupgroups.engines import Engine
from dupgroups.engines.common import copy_of
from dupgroups.errors import InputError
from dupgroups.model import StoryOrder, StoryRecord
from dupgroups.presentation.date_formats import instant
from dupgroups.text.iso_dates import day_of

STORY_COLUMNS = (
    *("group", "copies", "sites", "sources", "copies_an_hour", "first_published", "last_published"),
    *("first_seen", "last_seen", "languages", "agencies", "id", "title", "url"),
)


def list_stories(
    engine: Engine, *, order: StoryOrder = "copies", since: str | None = None, limit: int = 10
) -> list[dict[str, Any]]:
    """At most `limit` stories as `Engine.stories` sorts them, of which a copy was published on the day
    `since` (ISO 8601, UTC) or later, by STORY_COLUMNS. Raises InputError for what is no day.
    """
    if since is not None and day_of(since) != since:
        raise InputError(f"since must be a day such as 2026-03-04, not {since[:40]!r}: give another value")
    start = None if since is None else datetime.fromisoformat(f"{since}T00:00:00+00:00").timestamp()
    begin = None if start is None else int(start) * 1_000_000
    records = engine.stories(order=order, since=begin, limit=limit)
    heads = engine.heads([record.group for record in records])
    documents = engine.read([members[0].id for members in heads.values() if members])
    shown = {document.record.group: copy_of(document) for document in documents.values()}
    return [_row_of(record, asdict(copy) if (copy := shown.get(record.group)) else {}) for record in records]


def _row_of(record: StoryRecord, shown: Mapping[str, Any]) -> dict[str, Any]:
    dates = {name: getattr(record, name) for name in STORY_COLUMNS if name.endswith(("published", "seen"))}
    values = {
        **shown,
        **asdict(record),
        "copies_an_hour": round(record.growth, 3),
        **{name: None if date is None else instant(date) for name, date in dates.items()},
        **{name: [*getattr(record, name)] for name in ("languages", "agencies")},
    }
    return {name: values.get(name) for name in STORY_COLUMNS}


def story_table(rows: Sequence[Mapping[str, Any]]) -> list[Sequence[Any]]:
    """The same as a table, with its head; a cell names several languages, or agencies, in one text."""
    between = {"languages": " ", "agencies": "; "}
    texts = ({**row, **{name: sign.join(row[name]) for name, sign in between.items()}} for row in rows)
    return [STORY_COLUMNS, *([*row.values()] for row in texts)]
