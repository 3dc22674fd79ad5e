"""The histogram of a result as bars that can be drawn and clicked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from dupgroups.engines.date_buckets import PREFIX, Unit, histogram
from dupgroups.model import Period
from dupgroups.presentation.languages import DateForm, date_text
from dupgroups.text.iso_dates import next_day

HEIGHT_PIXELS = 40  # of the highest bar
_SHORT_FORMS: Mapping[Unit, DateForm] = {"day": "short day", "month": "short month", "year": "year"}
_MAX_SPACED_BARS = 120  # bars that are drawn with gaps between them; more than these stand side by side


@dataclass(frozen=True, slots=True)
class Bar:
    """A period, in words and in fewer letters, and the height of its bar, from 0 (no documents) to
    HEIGHT_PIXELS."""

    period: Period
    label: str
    short: str
    height: int


def bars(periods: Sequence[Period]) -> list[Bar]:
    """The bars of a histogram, with empty ones between them; [] for less than two periods."""
    if len(periods) < 2:
        return []
    first = periods[0]
    is_month = first.since[:7] == first.until[:7]
    unit: Unit = "day" if first.since == first.until else "month" if is_month else "year"
    names = list(_names(periods[0].since, periods[-1].since, unit))
    counts = {period.since[: PREFIX[unit]]: period.count for period in periods}
    most = max(counts.values())
    if len(names) > _MAX_SPACED_BARS:
        names = list(counts)
    drawn = []
    for name in names:
        (period,) = histogram({name: counts.get(name, 0)}, unit, empty=True)
        since, height = date.fromisoformat(period.since), -(-period.count * HEIGHT_PIXELS // most)
        drawn.append(Bar(period, date_text(since, unit), date_text(since, _SHORT_FORMS[unit]), height))
    return drawn


def _names(first: str, last: str, unit: Unit) -> Iterator[str]:
    """The names of all periods between two days, at most one more than are drawn with gaps."""
    size, day, drawn = PREFIX[unit], first, 0
    while drawn <= _MAX_SPACED_BARS:
        yield day[:size]
        drawn += 1
        after = next_day(histogram({day[:size]: 1}, unit)[0].until)
        if after is None or after > last:
            return
        day = after
