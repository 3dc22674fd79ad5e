"""The stories printed most on a day, in a week and in a month, and the documents of each day."""

from __future__ import annotations

from datetime import date, datetime, timezone
from typing import NamedTuple

from dupgroups.engines import Engine
from dupgroups.model import Query, Results
from dupgroups.text.iso_dates import day_of

MAX_LISTED_STORIES = 10  # of a period that are listed


class Overview(NamedTuple):
    """`day` is the last one that has a document, today at the latest. The periods end with it: what finds
    their stories, most copies first, and the first of them.
    """

    day: str
    of_day: tuple[Query, Results]
    of_week: tuple[Query, Results]
    of_month: tuple[Query, Results]


def read_overview(engine: Engine) -> Overview | None:
    """The overview of an index; None if no document has a date that has passed."""
    today = datetime.now(timezone.utc).date().isoformat()
    newest = engine.search(Query(mode="all", until=today, sort="date", limit=1))
    day = next((day_of(hit.shown.date) for hit in newest.hits), None)
    return Overview(day, *(_most_printed(engine, day, days) for days in (1, 7, 30))) if day else None


def _most_printed(engine: Engine, day: str, days: int) -> tuple[Query, Results]:
    since = date.fromordinal(max(1, date.fromisoformat(day).toordinal() - days + 1))
    query = Query(since=since.isoformat(), until=day, sort="copies", limit=MAX_LISTED_STORIES)
    return query, engine.search(query)
