"""Dates in ISO 8601, as documents have them: their days, and their minutes since 1970."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

_DATE = re.compile(
    r"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(?:(Z)|([+-])(\d\d):?(\d\d))?)?", re.ASCII
)
_START = datetime(1970, 1, 1)
_LETTERS = re.compile(r"'([^']*)'|([a-zA-Z])\2*")
_DIRECTIVES = dict(zip("yuMdHmsSXxZ", "%Y %Y %m %d %H %M %S %f %z %z %z".split(), strict=True))


def day_of(written: str | None) -> str | None:
    """The day, in UTC, of a date in ISO 8601; None if it is not one. A time without a zone is in UTC.

    >>> day_of("2026-03-04T23:30:00-05:00"), day_of("2026-03-04"), day_of("yesterday")
    ('2026-03-05', '2026-03-04', None)
    """
    minute = minute_of(written)
    return None if minute is None else (_START + timedelta(minutes=minute)).date().isoformat()


def minute_of(written: str | None) -> int | None:
    """A date in ISO 8601 in minutes since 1970, in UTC: the last minute of a day without a time; else None.

    >>> minute_of("1970-01-01T02:05:30+01:00"), minute_of("1970-01-01"), minute_of("yesterday")
    (65, 1439, None)
    """
    match = _DATE.fullmatch(written or "")
    if not match:
        return None
    day, clock, _, sign, hours, minutes = match.groups()
    try:
        moment = datetime.fromisoformat(f"{day}T{clock or '23:59'}")
        if sign:
            moment -= timedelta(hours=int(sign + hours), minutes=int(sign + minutes))
    except (ValueError, OverflowError):
        return None
    return (moment - _START) // timedelta(minutes=1)


def published_minute(date: str | None) -> int | None:
    """See `Record.published`. Of a date that is not written as in ISO 8601, the day at its beginning."""
    minute = minute_of(date)
    return minute_of((date or "")[:10]) if minute is None else minute


def in_iso(written: str, formats: str) -> str:
    """A date in one of the formats of a mapping, patterns of Java with || between them, in ISO 8601. Any
    other, and one in a format without a year, month and day in figures, as it is written.

    >>> in_iso("05/03/2026 10:00", "yyyy||dd/MM/yyyy HH:mm"), in_iso("5.3.2026", "d.M.yyyy")
    ('2026-03-05T10:00:00', '2026-03-05')
    """
    for pattern in formats.split("||"):
        try:
            directives = _LETTERS.sub(lambda part: part[1] or _DIRECTIVES[part[2]], pattern)
            moment = datetime.strptime(written, directives)
        except (KeyError, ValueError):  # no figures, or another format
            continue
        if {"%Y", "%m", "%d"} <= set(re.findall("%.", directives)):
            return moment.isoformat(timespec="seconds") if "%H" in directives else str(moment.date())
    return written


def next_day(day: str) -> str | None:
    """The day after a day; None after the last day of the calendar."""
    return None if day == date.max.isoformat() else (date.fromisoformat(day) + timedelta(1)).isoformat()
