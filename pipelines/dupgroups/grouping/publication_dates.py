"""When a document was published: as it says, where that can be right, else by when it was first seen."""

from __future__ import annotations

from datetime import date

from dupgroups.model import DAY_MICROSECONDS, MINUTE_MICROSECONDS, Record
from dupgroups.text.dates import FIRST_YEAR, PLACEHOLDERS

_EPOCH = date(1970, 1, 1)
DAY_MINUTES = DAY_MICROSECONDS // MINUTE_MICROSECONDS  # minutes
_FIRST_NEWS_MINUTES = (date(FIRST_YEAR, 1, 1) - _EPOCH).days * DAY_MINUTES  # minutes since 1970
_NO_DAYS = {(date.fromisoformat(day) - _EPOCH).days for day in PLACEHOLDERS}  # days since 1970


def published_by(record: Record) -> int:
    """By when a document was published, in minutes since 1970: as it says, if that can be right, but before
    it was first seen; nothing else is known of a document without a date.
    """
    said, seen = _credible_minute(record), _minute_seen(record)
    return seen if said is None else min(said, seen)


def says_when(record: Record) -> bool:
    """Whether a document has a date that can be right: not older than newspapers, no day that programs write
    where they know none, and at most the day after it was first seen, as it may be that day elsewhere.
    """
    return _credible_minute(record) is not None


def _credible_minute(record: Record) -> int | None:
    """When a document says that it was published, in minutes since 1970; None if that cannot be right."""
    said, latest = record.published, _minute_seen(record) + 2 * DAY_MINUTES
    if said is None or not _FIRST_NEWS_MINUTES <= said < latest or said // DAY_MINUTES in _NO_DAYS:
        return None
    return said


def _minute_seen(record: Record) -> int:
    return record.first_seen // MINUTE_MICROSECONDS
