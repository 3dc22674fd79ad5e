"""Days, moments and spans of time in words."""

from __future__ import annotations

import re
from datetime import date, datetime, timezone

from dupgroups.engines.dates import next_day
from dupgroups.web.language import date_text, gettext, plural

_TIME = re.compile(r"T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$")


def day(value: str | None) -> str:
    """An ISO 8601 date as "4 March 2026"; "" if it is not a date."""
    try:
        return date_text(date.fromisoformat((value or "")[:10]), "day")
    except ValueError:
        return ""


def days(since: str | None, until: str | None) -> str:
    """A range of days, of which one end may be open, in words.

    >>> days("2026-03-04", "2026-03-05"), days("2026-03-04", "2026-03-04"), days(None, "2026-03-04")
    ('4 March 2026 to 5 March 2026', '4 March 2026', 'until 4 March 2026')
    >>> days("2026-02-01", "2026-02-28")
    'February 2026'
    """
    if since == until:
        return day(since)
    if since and until:
        if since[:8] == until[:8] and since[8:] == "01" == (next_day(until) or "")[8:]:
            return date_text(date.fromisoformat(since), "month")
        return gettext("%(since)s to %(until)s") % {"since": day(since), "until": day(until)}
    if since:
        return gettext("since %(day)s") % {"day": day(since)}
    return gettext("until %(day)s") % {"day": day(until)}


def moment(value: str | None) -> str:
    """An ISO 8601 date with its time, if it has one: "4 March 2026, 10:05 +02:00"; "" if it is not a date."""
    written, time = day(value), _TIME.search(value or "")
    if not written or not time:
        return written
    zone = {None: "", "Z": " UTC", "+00:00": " UTC"}.get(time[2], f" {time[2]}")
    return gettext("%(day)s, %(time)s") % {"day": written, "time": time[1] + zone}


def instant(microseconds: int) -> str | None:
    """Microseconds since 1970 in ISO 8601, to the second, in UTC; None outside the years 1 to 9999."""
    try:
        return f"{datetime.fromtimestamp(microseconds // 1_000_000, timezone.utc):%Y-%m-%dT%H:%M:%SZ}"
    except (OverflowError, ValueError, OSError):
        return None


def span(microseconds: int) -> str:
    """A span of time in its largest whole unit.

    >>> span(7_300_000_000), span(400_000)
    ('2 hours', 'less than a second')
    """
    seconds = microseconds // 1_000_000
    if seconds >= 86_400:
        return plural(seconds // 86_400, "%(num)s day", "%(num)s days")
    if seconds >= 3_600:
        return plural(seconds // 3_600, "%(num)s hour", "%(num)s hours")
    if seconds >= 60:
        return plural(seconds // 60, "%(num)s minute", "%(num)s minutes")
    if seconds >= 1:
        return plural(seconds, "%(num)s second", "%(num)s seconds")
    return gettext("less than a second")
