"""How the days of documents are counted: by day, month or year."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Mapping
from datetime import date
from typing import Literal

from dupgroups.model import Period

Unit = Literal["day", "month", "year"]

PREFIX: dict[Unit, int] = {"day": 10, "month": 7, "year": 4}
"""How many characters of a day in ISO 8601 name the period of a unit in which it is."""

_MOST_DAYS, _MOST_MONTHS = 62, 60


def unit_of(first: str, last: str) -> Unit:
    """In what to count the documents between two days: a few dozen periods, unless it is many years."""
    since, until = date.fromisoformat(first), date.fromisoformat(last)
    if (until - since).days < _MOST_DAYS:
        return "day"
    months = (until.year - since.year) * 12 + until.month - since.month
    return "month" if months < _MOST_MONTHS else "year"


def histogram(counts: Mapping[str, int], unit: Unit, *, empty: bool = False) -> tuple[Period, ...]:
    """The periods of these counts, in order; the names are days in ISO 8601, cut to the unit. Those that are
    0 are left out, except with `empty`.

    >>> histogram({"2026-02": 3}, "month")
    (Period(since='2026-02-01', until='2026-02-28', count=3),)
    """
    kept = ((name, count) for name, count in sorted(counts.items()) if count or empty)
    return tuple(Period(*_ends(name, unit), count) for name, count in kept)


def _ends(name: str, unit: Unit) -> tuple[str, str]:
    if unit == "year":
        return f"{name}-01-01", f"{name}-12-31"
    if unit == "month":
        return f"{name}-01", f"{name}-{monthrange(int(name[:4]), int(name[5:]))[1]}"
    return name, name
