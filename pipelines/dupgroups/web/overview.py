"""What was printed most on a day and in a week, and how many documents there were each day."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timezone

from dupgroups.engines import Engine
from dupgroups.engines.dates import day_of
from dupgroups.model import Query, Results

DAYS = {"day": 1, "week": 7, "month": 30}
STORIES = 10  # of a period that are listed


@dataclass(frozen=True, slots=True)
class Printed:
    """The stories of a period with the most copies in it; `query` finds all of them."""

    query: Query
    results: Results


@dataclass(frozen=True, slots=True)
class Overview:
    """`day` is the last one that has a document, today at the latest; the periods end with it."""

    day: str
    periods: dict[str, Printed]


def read_overview(engine: Engine) -> Overview | None:
    """The overview of an index; None if no document has a date that has passed."""
    today = datetime.now(timezone.utc).date().isoformat()
    newest = engine.search(Query(mode="all", until=today, sort="date", limit=1))
    day = next((day_of(hit.shown.date) for hit in newest.hits), None)
    return Overview(day, {name: _printed(engine, day, days) for name, days in DAYS.items()}) if day else None


def _printed(engine: Engine, day: str, days: int) -> Printed:
    first = date.fromisoformat(day).toordinal() - days + 1
    since = date.fromordinal(max(1, first)).isoformat()
    query = Query(since=since, until=day, sort="copies", limit=STORIES)
    return Printed(query, engine.search(query))
