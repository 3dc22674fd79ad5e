"""Dates as people and programs write them, as ISO 8601.

| form | examples |
|---|---|
| year first | 2026-03-04T10:05:00+01:00, 2026/3/4, 2026.03.04, 2026年3月4日 10:05, 2026년 3월 4일 |
| with the name of a month | 4 March 2026, March 4th, 2026, 4. März 2026, 4 de marzo de 2026, 4-Mar-2026 |
| numbers only | 17/01/2026, 17.01.2026; 4/3/2026 and 17.01.26 only where the day is known to come first |
| without separators | 20260304 (only in declarations) |
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import date
from functools import cache
from typing import NamedTuple

# Names of months in the forms that dates use, January first. Abbreviations of three letters or more count as
# well; "mar" is March as in the first languages, not the eleventh month of Finnish.
_MONTHS = """
    january february march april may june july august september october november december
    januar februar märz april mai juni juli august september oktober november dezember
    janvier février mars avril mai juin juillet août septembre octobre novembre décembre
    enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
    gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
    janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro
    januari februari maart april mei juni juli augustus september oktober november december
    stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia
    styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień
    января февраля марта апреля мая июня июля августа сентября октября ноября декабря
    январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь
    січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня
    януари февруари март април май юни юли август септември октомври ноември декември
    ledna února března dubna května června července srpna září října listopadu prosince
    ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου
    δεκεμβρίου
    ιανουάριος φεβρουάριος μάρτιος απρίλιος μάιος ιούνιος ιούλιος αύγουστος σεπτέμβριος οκτώβριος νοέμβριος
    δεκέμβριος
    γενάρη φλεβάρη μάρτη απρίλη μάη ιούνη ιούλη αύγουστο σεπτέμβρη οκτώβρη νοέμβρη δεκέμβρη
    ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık
    januar februar marts april maj juni juli august september oktober november december
    januari februari mars april maj juni juli augusti september oktober november december
    tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta
    marraskuuta joulukuuta
    január február március április május június július augusztus szeptember október november december
    ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie
    januari februari maret april mei juni juli agustus september oktober november desember
"""
_DAY_FIRST_ENGLISH = frozenset("au gb ie in nz uk za".split())
_YEAR_FIRST = frozenset("eu fa hu ja ko lt mn sv zh".split())
_LONGEST = 200  # characters of the value of an attribute that are read
_SHORTEST = 3  # letters of an abbreviated month

_YEAR = r"(?P<year>(?:19|20)\d\d)(?!\d)"
_DAY = r"(?P<day>\d\d?)(?!\d)"
_NAME = r"(?P<name>[^\W\d_]{3,12})\.?"
_NUMBERS_YEAR_FIRST = re.compile(
    r"(?<![\d./-])(?P<year>(?:19|20)\d\d)(?P<mark>[-/.])(?P<month>\d\d?)(?P=mark)(?P<day>\d\d?)(?!\d)"
)
_EAST = re.compile(
    r"(?<!\d)(?P<year>(?:19|20)\d\d)\s?[年년]\s?(?P<month>\d\d?)\s?[月월]\s?(?P<day>\d\d?)\s?[日일号號]"
)
_NUMBERS = re.compile(rf"(?<![\d./-])(?P<first>\d\d?)(?P<mark>[-/.])(?P<second>\d\d?)(?P=mark){_YEAR}")
_DAY_NAME_YEAR = re.compile(
    rf"(?<![\d.:]){_DAY}(?:st|nd|rd|th|er|[.ºª])?[\s-](?:(?:of|de|di)\s)?{_NAME},?[\s-](?:del?\s)?{_YEAR}"
)
_NAME_DAY_YEAR = re.compile(rf"(?<![^\W\d_]){_NAME}\s{_DAY}(?:st|nd|rd|th)?(?:\s?,\s?|\s){_YEAR}")
_YEAR_NAME_DAY = re.compile(rf"(?<![\d./-]){_YEAR}\.?,?\s{_NAME}\s{_DAY}")
_SHORT_YEAR = re.compile(
    r"(?<![\d./:-])(?P<first>\d\d)(?P<mark>[/.])(?P<second>\d\d)(?P=mark)(?P<short>\d\d)(?![\d.,/])"
)
_PATTERNS = (
    _NUMBERS_YEAR_FIRST,
    _EAST,
    _NUMBERS,
    _DAY_NAME_YEAR,
    _NAME_DAY_YEAR,
    _YEAR_NAME_DAY,
    _SHORT_YEAR,
)
_COMPACT = re.compile(r"\b(?P<year>(?:19|20)\d\d)(?P<month>[01]\d)(?P<day>[0-3]\d)(?=\b|T|\d{6}\b)")
_HAS_DATE = re.compile(r"\d\d(?:(?<=19|20)\d\d|[/.]\d\d)")
_TIME = re.compile(
    r"(?:T|[\s,|–—·(-]{0,4})(?:(?:at|um|à|às|kl\.?|klo|godz\.?|ore|в)\s)?"
    r"(?P<hour>\d\d?)[:時时点點](?P<minute>\d\d)(?::(?P<second>\d\d))?(?:\.\d{1,9})?(?!\d)"
    r"(?:\s?(?P<half>[ap])\.?m\b)?(?:\s?(?P<zone>Z\b|GMT\b|UTC\b|[+-]\d\d:?\d\d\b))?",
    re.IGNORECASE,
)


class WrittenDate(NamedTuple):
    """A date at text[start:end]: `iso` is a day, or a second, with the zone if that is written."""

    start: int
    end: int
    iso: str


def day_first(locale: str) -> bool:
    """Whether numbers of dates begin with the day in a language, such as "de", or "en-GB" with its region.

    False where they may begin with the year or the month, as in English without a region that settles it.
    """
    language, _, region = locale.lower().replace("_", "-").partition("-")
    if language == "en":
        return region in _DAY_FIRST_ENGLISH
    return bool(language) and language not in _YEAR_FIRST


def declared_date(text: str, days_first: bool = False) -> str | None:
    """The first date in the value of an attribute; None without a date from 1900 to 2099 in 200 characters.

    >>> declared_date("Wed, 04 Mar 2026 10:05:00 +0100"), declared_date("20260304")
    ('2026-03-04T10:05:00+01:00', '2026-03-04')
    """
    text = text[:_LONGEST]
    if written := next(written_dates(text, days_first), None):
        return written.iso
    compact = _COMPACT.search(text)
    day = _day(compact, False) if compact else None
    return day.isoformat() if day else None


def written_dates(text: str, days_first: bool = False) -> Iterator[WrittenDate]:
    """The dates from 1900 to 2099 in `text`, in order, without overlaps.

    `days_first`: whether 4/3/2026 is the fourth of March; otherwise such a date is left out.

    >>> [written.iso for written in written_dates("4 March 2026, updated 2026年3月5日 10:05")]
    ['2026-03-04', '2026-03-05T10:05:00']
    """
    if not _HAS_DATE.search(text):
        return
    matches = [match for pattern in _PATTERNS for match in pattern.finditer(text)]
    end = 0
    for match in sorted(matches, key=re.Match.start):
        day = _day(match, days_first) if match.start() >= end else None
        if day:
            clock = _TIME.match(text, match.end())
            time = _time(clock) if clock else ""
            end = clock.end() if clock and time else match.end()
            yield WrittenDate(match.start(), end, day.isoformat() + time)


def _day(match: re.Match[str], days_first: bool) -> date | None:
    parts = match.groupdict()
    if "first" in parts:
        month, day = _ordered(int(parts["first"]), int(parts["second"]), days_first)
    else:
        month = _months().get(_plain(parts["name"]), 0) if "name" in parts else int(parts["month"])
        day = int(parts["day"])
    if "short" in parts and not days_first:
        return None
    try:
        return date(int(parts.get("year") or f"20{parts['short']}"), month, day)
    except ValueError:
        return None


def _ordered(first: int, second: int, days_first: bool) -> tuple[int, int]:
    """Month and day; (0, 0) if they cannot be told apart."""
    if (days_first and second <= 12) or first > 12 or first == second:
        return second, first
    return (first, second) if second > 12 else (0, 0)


def _time(clock: re.Match[str]) -> str:
    """The time of day with its zone, as it follows the day in ISO 8601; "" if there is no such time."""
    hour, minute, second = int(clock["hour"]), int(clock["minute"]), int(clock["second"] or 0)
    half = (clock["half"] or "").lower()
    if half and 1 <= hour <= 12:
        hour = hour % 12 + (12 if half == "p" else 0)
    if hour > 23 or minute > 59 or second > 59:
        return ""
    return f"T{hour:02}:{minute:02}:{second:02}{_zone((clock['zone'] or '').upper())}"


def _zone(zone: str) -> str:
    if zone in ("Z", "GMT", "UTC"):
        return "Z"
    return f"{zone[:3]}:{zone[-2:]}" if zone else ""


@cache
def _months() -> dict[str, int]:
    """The number of a month by its name or by an abbreviation that belongs to one month of its language."""
    names = [_plain(name) for name in _MONTHS.split()]
    months = {name: place % 12 + 1 for place, name in enumerate(names)}
    for start in range(0, len(names), 12):
        language = names[start : start + 12]
        for prefix in {name[:length] for name in language for length in range(_SHORTEST, len(name))}:
            meant = [name for name in language if name.startswith(prefix)]
            if len(meant) == 1:
                months.setdefault(prefix, months[meant[0]])
    return months


def _plain(name: str) -> str:
    """Lower case without accents, which capitals and abbreviations often lack."""
    decomposed = unicodedata.normalize("NFKD", name.casefold())
    return "".join(character for character in decomposed if not unicodedata.combining(character))
