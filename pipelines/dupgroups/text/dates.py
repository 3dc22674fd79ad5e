"""Dates as people and programs write them, as ISO 8601.

| form | examples |
|---|---|
| year first | 2026-03-04T10:05:00+01:00, 2026/3/4, 2026. 3. 4., 2026年3月4日 10:05, 2026년 3월 4일 |
| year first, in Chinese numerals | 二〇二六年三月四日, 2026年十二月二十五日 |
| with the name of a month | 4 March 2026, March 4th, 2026, 4. März 2026, 4-Mar-26, 2026. gada 4. marts |
| numbers only | 17/01/2026, 17.01.2026; 4/3/2026 and 17.01.26 only where the day is known to come first |
| other eras | 令和8年3月4日, 民國115年3月4日, 4 มีนาคม 2569, ۱۴۰۴/۱۲/۱۳ (in Persian) |
| without separators | 20260304, 20260304T100500Z, seconds since 1970, or parts (only in declarations) |

Digits of all scripts count. The names of months in the languages of the world are in `months.txt`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import date, datetime, timedelta, timezone
from functools import cache
from importlib.resources import files
from typing import NamedTuple

ANY_ORDER = "*"
"""A locale in which 4/3/2026 is some date, if it does not matter which."""

_DAY_FIRST_ENGLISH = frozenset("au gb ie in nz uk za".split())
_YEAR_FIRST = frozenset("eu fa hu ja ko lt mn sv zh".split())
_MAX_DATE_CHARS = 200  # characters of the value of an attribute that are read
_MIN_MONTH_LETTERS = 3  # letters of an abbreviated month
# that programs declare where a date is missing
PLACEHOLDERS = frozenset(
    "1601-01-01 1753-01-01 1899-12-30 1899-12-31 1900-01-01 1970-01-01 2099-12-31".split()
)
FIRST_YEAR = 1605  # of the first newspaper
_FIRST_WRITTEN, _LAST = 1900, 2099  # years; in texts, earlier ones are those of history

_THAI_ERA, _SOLAR_ERA = 543, 621  # years ahead of ours, and behind
_THAI = frozenset("th lo km".split())
_SOLAR = frozenset("fa ps solar".split())
_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "民國": 1911, "民国": 1911, None: 0}

_ONE_TO_NINE = "一二三四五六七八九"
_NUMERALS = f"〇○零{_ONE_TO_NINE}"
_NUMERALS_TO_DIGITS = str.maketrans(_NUMERALS, "000123456789")

_YEAR_DIGITS = r"(?:1[346-9]|2[05])\d\d"
_YEAR = rf"(?P<year>{_YEAR_DIGITS})(?!\d)"
_DAY = r"(?P<day>\d\d?)(?!\d)"
_NAME = (
    r"(?P<name>[^\W\d_][^\s\d,/:;|()\[\]<>–—-]{1,24}?(?:\s(?:الأول|الاول|الثاني|сар|fómhair))?)(?:/[^\W\d]+)?"
)
_TO_NAME = r"(?:[.ºª]|st|nd|rd|th|er|a|ου)?[\s./-]{0,2}(?:(?:of|de|di|ng|d|ရက်)\s|d[’'])?"
_TO_YEAR = r"(?:[.,]|\s(?=,))?,?[\s/-]{0,2}(?:(?:del?|of|ปี|พ\.ศ\.|ค\.ศ\.|ឆ្នាំ|ປີ|عام|سنة|سال)\s?)?"
_FROM_YEAR = r"[.,]{0,2}(?:[\s-]\S{1,9})?[\s]"  # "2026. gada 4. marts", "2026-yil"
_NO_YEAR = rf"(?![\s,.-]{{0,3}}{_YEAR_DIGITS})"
_NUMBERS = (
    rf"(?<![\d./-]){_YEAR}(?P<mark>\s?[-/.]\s?)(?P<month>\d\d?)(?P=mark){_DAY}",
    rf"(?<![\d./-])(?P<first>\d\d?)(?P<mark>\s?[-/.]\s?)(?P<second>\d\d?)(?P=mark){_YEAR}",
    r"(?<![\d./:-])(?P<first>\d\d)(?P<mark>[/.])(?P<second>\d\d)(?P=mark)(?P<short>\d\d)(?![\d/]|[.,]\d)",
    r"(?<!\d)(?:(?P<era>令和|平成|昭和|民國|民国)\s?)?(?P<year>\d{1,4}|元)\s?[年년]\s?"
    r"(?P<month>\d\d?)\s?[月월]\s?(?P<day>\d\d?)\s?[日일号號]",
    rf"(?P<year>\d{{4}}|[{_NUMERALS}]{{4}})年(?P<month>十[一二]?|[{_ONE_TO_NINE}])月(?P<day>[二三]?十[{_ONE_TO_NINE}]?|[{_ONE_TO_NINE}])[日号號]",
)
_WRITTEN_FORMS = (
    rf"(?<!\d){_DAY}\s?tháng\s?(?P<month>\d\d?)(?:\s?[,/-])?\s(?:năm\s)?{_YEAR}",
    rf"(?<!\d){_YEAR}\s?оны?\s(?P<month>\d\d?)\s?(?:-р|дугаар|дүгээр)?\sсарын?\s{_DAY}",
    rf"(?<![\d.:]){_DAY}{_TO_NAME}{_NAME}{_TO_YEAR}{_YEAR}",
    rf"(?<![^\W\d_]){_NAME}\s?{_DAY}(?:st|nd|rd|th)?(?:\sရက်)?(?:\s?[,.]\s?|\s){_YEAR}",
    rf"(?<![\d./-]){_YEAR}{_FROM_YEAR}{_NAME}\s{_DAY}{_NO_YEAR}",
    rf"(?<![\d./-]){_YEAR}{_FROM_YEAR}{_DAY}[.-]?\s?{_NAME}(?![^\W\d_]){_NO_YEAR}",
    rf"(?<![\d.:]){_DAY}(?P<mark>[-/\s]){_NAME}(?P=mark)['’]?(?P<short>\d\d)(?![\d/:]|[.,]\d)",
)
_OF_NUMBERS, _OF_WORDS = [*map(re.compile, _NUMBERS)], [*map(re.compile, _WRITTEN_FORMS)]
_COMPACT = re.compile(
    r"\b(?P<year>(?:19|20)\d\d)(?P<month>[01]\d)(?P<day>[0-3]\d)"
    r"(?:[T_]?(?P<hour>\d\d)(?P<minute>\d\d)(?P<second>\d\d)?(?P<before>)(?P<half>)(?P<zone>Z|[+-]\d\d:?\d\d)?)?\b"
)
_SECONDS = re.compile(  # since 1970, and thousandths or millionths, but no year to hundredths of a second
    r"\s*(?:\\?/Date\()?(?!20\d{14})([12]?\d{9})(?:\d{3}){0,2}(?:\.\d+)?(?:[+-]\d{4}(?=\)))?(?:\)\\?/)?\s*"
)
_YEAR_LAST = re.compile(r"([A-Z][a-z]{2}) {1,2}(\d\d?) (\d\d:\d\d:\d\d(?: [A-Z]{2,5}| [+-]\d{4})?) (\d{4})")
_HAS_DATE = re.compile(r"\d\D{0,26}\d\d|年")
_HAS_WORD = re.compile(r"[^\W\d_](?![\d\s:+-]|$)")  # unlike T and Z

_HOURS = {  # of zones with one meaning in the news, ahead of UTC
    zone: int(hours)
    for hours, *zones in map(
        str.split,
        "0 Z UT GMT UTC WET,1 BST WEST CET MEZ,2 CEST MESZ EET SAST,3 EEST MSK МСК,5 PKT,7 WIB,8 WITA HKT SGT"
        ",9 WIT JST KST,10 AEST,11 AEDT,12 NZST,13 NZDT,-4 EDT,-5 EST CDT,-6 CST MDT,-7 MST PDT,-8 PST".split(
            ","
        ),
    )
    for zone in zones
}
_AMERICAN = {"ET": -5, "CT": -6, "MT": -7, "PT": -8}  # an hour more in summer
_TIME = re.compile(
    r"(?:\s?[(（][^\W\d]{1,9}[.)）]{1,2})?(?:T|[\s,|–—·(.-]{0,4})(?:(?:at|um|à|às|om|kl\.?|klo|godz\.?|ore|в)\s)?"
    r"(?P<before>[上下]午|午[前後]|오[전후])?\s?"
    r"(?P<hour>\d\d?)(?:[:時时点點]|시\s?|\s?h\s?)(?P<minute>\d\d)(?::(?P<second>\d\d))?(?:\.\d{1,9})?(?!\d)"
    r"(?:\s?(?P<half>[ap])(?:\.\s?)?m\b\.?)?(?:\sUhr)?"
    rf"(?:\s?\(?(?P<zone>(?-i:{'|'.join((*_HOURS, *_AMERICAN, 'мск'))})(?![^\W_])(?![+-]\d)"
    r"|(?:GMT|UTC)\s?[+-]\d\d?(?::?\d\d)?\b|[+-]\d\d(?::?\d\d)?\b))?",
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


def declared_date(text: str, locale: str = "") -> str | None:
    """The first date in the value of an attribute; None without a date from 1605 to 2099 in 200 characters.

    >>> declared_date("Wed, 04 Mar 2026 10:05:00 +0100"), declared_date("1772618700")
    ('2026-03-04T10:05:00+01:00', '2026-03-04T10:05:00Z')
    """
    text = _YEAR_LAST.sub(r"\1 \2 \4 \3", _plain_digits(text[:_MAX_DATE_CHARS]))  # "Mar 4 10:05:00 CET 2026"
    if seconds := _SECONDS.fullmatch(text):
        moment = datetime.fromtimestamp(int(seconds[1]), timezone.utc)
        return f"{moment:%Y-%m-%dT%H:%M:%SZ}"
    if written := next(_dates(text, locale, FIRST_YEAR), None):
        return None if written.iso[:10] in PLACEHOLDERS else written.iso
    compact = _COMPACT.search(text)
    day = _day(compact, "", FIRST_YEAR) if compact else None
    return day.isoformat() + (_time(compact, day) if compact["hour"] else "") if compact and day else None


def written_dates(text: str, locale: str = "") -> Iterator[WrittenDate]:
    """The dates from 1900 to 2099 in `text`, in order, without overlaps.

    `locale` tells whether 4/3/2026 is the fourth of March; without, or in a language that leaves it open,
    such a date is left out. So is a month whose name is that of another month in another language.

    >>> [written.iso for written in written_dates("4 March 2026, updated 2026年3月5日 10:05")]
    ['2026-03-04', '2026-03-05T10:05:00']
    """
    return _dates(_plain_digits(text), locale, _FIRST_WRITTEN)


def _dates(text: str, locale: str, first: int) -> Iterator[WrittenDate]:
    if not _HAS_DATE.search(text):
        return
    patterns = _OF_NUMBERS + _OF_WORDS if _HAS_WORD.search(text) else _OF_NUMBERS
    matches = [match for pattern in patterns for match in pattern.finditer(text)]
    end = 0
    for match in sorted(matches, key=re.Match.start):
        day = _day(match, locale, first) if match.start() >= end else None
        if day:
            clock = _TIME.match(text, match.end())
            time = _time(clock, day) if clock else ""
            end = clock.end() if clock and time else match.end()
            yield WrittenDate(match.start(), end, day.isoformat() + time)


def _day(match: re.Match[str], locale: str, first: int) -> date | None:
    parts = match.groupdict()
    language = re.split("[-_]", locale.lower())[0]
    if "first" in parts:
        dotted = "." in parts["mark"] and language not in ("", "en")  # nowhere else is the month before a dot
        month, day = _order_month_day(int(parts["first"]), int(parts["second"]), dotted or day_first(locale))
    else:
        day = _read_number(parts["day"])
        if "name" in parts:
            month, language = _find_month(parts["name"], language)
        else:
            month = _read_number(parts["month"])
    if "short" in parts and "first" in parts and not day_first(locale) and int(parts["second"]) <= 12:
        return None  # any of them may be the year
    try:
        found = _calendar(parts, language, month, day)
    except ValueError:
        return None
    return found if found and first <= found.year <= _LAST else None


def _calendar(parts: dict[str, str | None], language: str, month: int, day: int) -> date | None:
    """The day in our calendar of one in the calendar of a language; None if it is not in use there."""
    short, era = parts.get("short"), parts.get("era")
    written = parts.get("year")
    year = int(short or 0) + (2500 if language == "th" and int(short or 0) >= 40 else 2000)
    if written:
        year = (1 if written == "元" else _read_number(written)) + _ERAS[era]
    if year > _LAST:
        return date(year - _THAI_ERA, month, day) if language in (*_THAI, ANY_ORDER) else None
    if era is None and written and year < FIRST_YEAR:
        return _solar(year, month, day) if language in (*_SOLAR, ANY_ORDER) else None
    return date(year, month, day)


def _read_number(written: str) -> int:
    """A number in digits, or in Chinese numerals (with tens up to 99): 12, 十二, 二〇二六."""
    tens, ten, ones = written.translate(_NUMERALS_TO_DIGITS).rpartition("十")
    return 10 * int(tens or 1) + int(ones or 0) if ten else int(ones)


def _solar(year: int, month: int, day: int) -> date | None:
    """A day of the calendar of Iran: six months of 31 days, five of 30, and the last one, from the spring on.

    Leap years follow the cycle of 33 years, which is exact from 1343 to 1472 (1964 to 2093).
    """
    if not 1 <= month <= 12 or not 1 <= day <= 30 + (month <= 6):
        return None
    leaps = sum(1 for one in range(1343, year) if one % 33 in (1, 5, 9, 13, 17, 22, 26, 30))
    before = 365 * (year - 1343) + leaps + 31 * min(month - 1, 6) + 30 * max(month - 7, 0)
    return date(1964, 3, 21) + timedelta(before + day - 1)


def _order_month_day(first: int, second: int, days_first: bool) -> tuple[int, int]:
    """Month and day; (0, 0) if they cannot be told apart."""
    if (days_first and second <= 12) or first > 12 or first == second:
        return second, first
    return (first, second) if second > 12 else (0, 0)


def _time(clock: re.Match[str], day: date) -> str:
    """The time of day with its zone, as it follows the day in ISO 8601; "" if there is no such time."""
    hour, minute, second = int(clock["hour"]), int(clock["minute"]), int(clock["second"] or 0)
    half, before = (clock["half"] or "").lower(), clock["before"] or ""
    is_late = half == "p" or before[:1] == "下" or before[1:] in ("後", "후")
    if (half or before) and 1 <= hour <= 12:
        hour = hour % 12 + 12 * is_late
    if hour > 23 or minute > 59 or second > 59:
        return ""
    return f"T{hour:02}:{minute:02}:{second:02}{_zone((clock['zone'] or '').upper(), day)}"


def _zone(zone: str, day: date) -> str:
    """A zone as ISO 8601 writes it; "" if there is no such zone."""
    if not zone:
        return ""
    if zone in _AMERICAN:
        # summer: from the second Sunday of March to the first one of November
        weeks = date(day.year, 3, 8), date(day.year, 11, 1)
        begin, end = (some + timedelta(6 - some.weekday()) for some in weeks)
        minutes = 60 * (_AMERICAN[zone] + (begin <= day < end))
    elif zone in _HOURS:
        minutes = 60 * _HOURS[zone]
    else:
        digits = re.sub(r"\D", "", zone)
        hours, rest = (digits[:-2], digits[-2:]) if len(digits) > 2 else (digits, "0")
        minutes = (int(hours) * 60 + int(rest)) * (-1 if "-" in zone else 1)
        if abs(minutes) > 14 * 60:
            return ""
    sign, minutes = "-" if minutes < 0 else "+", abs(minutes)
    return f"{sign}{minutes // 60:02}:{minutes % 60:02}" if minutes or zone[0] in "+-" else "Z"


# -- names and digits of the languages of the world

_AFFIXES = re.compile(r"^(?:ב|ខែ|ເດືອນ|เดือน)|လ$")
_ACCENTS = re.compile("[\u0300-\u036f\u0653-\u0655\u200c-\u200f.]")


def _find_month(name: str, language: str) -> tuple[int, str]:
    """The number of a month, and its language; 0 if it is not a month, or differs between languages."""
    months = _months()
    plain = _plain(name)
    meant = months.get(plain) or months.get(_AFFIXES.sub("", plain), {})
    if language in meant:
        return meant[language], language
    return (next(iter(meant.values())), next(iter(meant))) if len(set(meant.values())) == 1 else (0, language)


@cache
def _months() -> dict[str, dict[str, int]]:
    """For each name the number of the month by language; also for the beginnings of names, of three letters
    or more, that belong to one month of their language, unless they are a name in another one."""
    months: dict[str, dict[str, int]] = {}
    begun: dict[str, dict[str, int]] = {}
    text = (files("dupgroups.text") / "months.txt").read_text("utf-8")
    for language, *columns in (line.split() for line in text.splitlines() if line[0] != "#"):
        prefixes: dict[str, set[int]] = {}
        for month, column in enumerate(columns, 1):
            for name in map(_plain, column.replace("_", " ").split("/")):
                months.setdefault(name, {}).setdefault(language, month)
                for length in range(_MIN_MONTH_LETTERS, len(name)):
                    prefixes.setdefault(name[:length], set()).add(month)
        for prefix, meant in prefixes.items():
            if len(meant) == 1:
                begun.setdefault(prefix, {}).setdefault(language, *meant)
    return begun | months


def _plain(name: str) -> str:
    """Lower case without accents, which capitals and abbreviations often lack, and without points."""
    return _ACCENTS.sub("", unicodedata.normalize("NFKD", name.casefold())).strip()


def _plain_digits(text: str) -> str:
    """The text, of the same length, with plain signs and the digits 0 to 9 for those of other scripts."""
    return text if text.isascii() else text.translate(_digits())


@cache
def _digits() -> dict[int, str]:
    numerals = (code for code in range(128, 0x20000) if chr(code).isdecimal())
    digits = {code: str(unicodedata.decimal(chr(code))) for code in numerals}
    return digits | dict(zip(map(ord, "،၊፣／．：－，\u200e\u200f"), ",,,/.:-,  ", strict=True))
