"""Days, moments and spans of time in words."""

from __future__ import annotations

import re
from datetime import date, datetime, timezone

from dupgroups.presentation.languages import DateForm, date_text, gettext, plural
from dupgroups.text.iso_dates import next_day

_TIME = re.compile(r"[T ](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$")


def day(value: str | None, form: DateForm = "day") -> str:
    """An ISO 8601 date as "4 March 2026"; "" if it is not a date."""
    try:
        return date_text(date.fromisoformat((value or "")[:10]), form)
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


def clock(value: str | None) -> str:
    """The time of an ISO 8601 date with its zone, as "10:05 UTC" or "10:05 +02:00"; "" if it has none."""
    match = _TIME.search(value or "")
    if not match:
        return ""
    zone = {None: "", "Z": " UTC", "+00:00": " UTC"}.get(match[2], f" {match[2]}")
    return match[1] + zone


def moment(value: str | None, form: DateForm = "day") -> str:
    """An ISO 8601 date with its time, if it has one: "4 March 2026, 10:05"; "" if it is not a date."""
    written, time = day(value, form), clock(value)
    return gettext("%(day)s, %(time)s") % {"day": written, "time": time} if written and time else written


def instant(microseconds: int) -> str | None:
    """Microseconds since 1970 in ISO 8601, to the second, in UTC; None outside the years 1 to 9999."""
    try:
        return f"{datetime.fromtimestamp(microseconds // 1_000_000, timezone.utc):%Y-%m-%dT%H:%M:%SZ}"
    except (OverflowError, ValueError, OSError):
        return None


def span(microseconds: int) -> str:
    """A span of time in its largest two units, of whole minutes from one minute on.

    >>> span(12_600_000_000), span(86_400_000_000), span(400_000)
    ('3 hours 30 minutes', '1 day', 'less than a second')
    """
    seconds = microseconds // 1_000_000
    days, hours, minutes = seconds // 86_400, seconds // 3_600 % 24, seconds // 60 % 60
    if seconds < 60:
        few = plural(seconds, "%(num)s second", "%(num)s seconds")
        return few if seconds else gettext("less than a second")
    parts = [
        plural(days, "%(num)s day", "%(num)s days") if days else "",
        plural(hours, "%(num)s hour", "%(num)s hours") if hours and days < 100 else "",
        plural(minutes, "%(num)s minute", "%(num)s minutes") if minutes and not days else "",
    ]
    return " ".join(filter(None, parts))
