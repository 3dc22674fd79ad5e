"""Numbers by their values: "12.1 mln" is 12,100,000 rounded, "17-1/2" is 17.5, "siebzehn" is 17.

This module reads digits; `number_reader.py` finds the numbers of a text, `number_words.py` has their words.

| form | examples |
|---|---|
| with decimals or thousands | 33.5; 33,5; 1.234.567; 1 234 567; 12,34,567; 4ر12 (12.4 in Arabic) |
| that may be either | 4.215; 4,215: it agrees with both |
| with a scale | 3.5 million; 5 тыс; 427.31万; 12亿5000万 |
| in words or characters | a hundred and twenty-five; quatre-vingt-dix; hai mươi lăm; 两千三百; 二〇二四 |
| fractions | 17-1/2; 3/4; 三分之一 |
| days and months by name | Monday, 周一; March, 3月; the month of 2026-03-05 and of 5.3.2026 |

Ranges, scores and times are the numbers that they are made of.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

_ROUND_DIGITS = 3  # zeros at the end of a number from which it is taken to be rounded
_MOST_DIGITS = 18  # of a number; a longer one is a name
_EXACT = 1e-9  # share of a value by which two computed ones may differ
_COMPOUND = re.compile(r"\d+(?:[.,/’'٫٬-]\d+)+")
_WITH_BLANKS = re.compile(r"(?<![\d.,-])(?<!\d )[1-9]\d{0,2}(?: \d{3})+(?![ -]?\d)(?:,\d+)?")
_PIECES, _DIGITS = re.compile("[^/-]+"), re.compile(r"\d+")
_FRACTION = re.compile(r"(?:(\d+)-)?(\d+)/(2|4|8|16|32|64)")
_THOUSANDS = re.compile(r"([1-9]\d{0,2}(?:([.,’' ٬])\d{3})(?:\2\d{3})*)(?:(?!\2)[.,٫](\d+))?")
_LAKHS = re.compile(r"([1-9]\d?(?:(,)\d\d)+,\d{3})(?:\.(\d+))?")
_EITHER = re.compile(r"([1-9]\d{0,2})([.,])(\d{3})")
_DECIMAL = re.compile(r"(\d+)[.,٫](\d+)")
_YEAR, _MONTH, _DAY = r"((?:19|20)\d\d)", "(0?[1-9]|1[0-2])", "(0?[1-9]|[12]\\d|3[01])"
_DATES = re.compile(f"{_YEAR}-{_MONTH}-{_DAY}"), re.compile(rf"{_DAY}\.{_MONTH}\.{_YEAR}")
_WORD = re.compile(
    r"(\d+)(?:(ر[\dر]*\d)|([^\W\d_]*))?.*"
)  # with an ordinal or a unit behind it: "2nd", "7kg"


class Number(NamedTuple):
    """A number by its value; `unit` is that of its last digit (0: exact).

    If its sign of decimals may be one of thousands, or the other way round, `factor` times it is the other
    reading (1: there is none). What is no value, such as a month, has a `name` and equals only the same name.
    """

    value: float
    unit: float
    name: str = ""
    factor: float = 1.0

    def agrees(self, other: Number) -> bool:
        """Whether both may state the same value, one of them rounded to a tenth or less of it, or with a
        point or a comma that may be that of thousands.
        """
        if self.name or other.name or self.value == other.value:
            return (self.value, self.name) == (other.value, other.name)
        return any(_are_near(*one, *two) for one in self._readings() for two in other._readings())

    def times(self, scale: float) -> Number:
        """So many times the number, as "3.5" in "3.5 million"."""
        return Number(self.value * scale, self.unit * scale, self.name, self.factor)

    def _readings(self) -> list[tuple[float, float]]:
        own = (self.value, self.unit)
        return [own] if self.factor == 1 else [own, (self.value * self.factor, self.unit * self.factor)]


def _are_near(value: float, unit: float, other: float, other_unit: float) -> bool:
    distance, coarse = abs(value - other), max(unit, other_unit)
    is_rounded = distance <= 0.51 * coarse and unit != other_unit and coarse <= max(value, other) / 10
    return is_rounded or distance <= _EXACT * value


def month(number: int) -> Number:
    """A month, from 1 on."""
    return Number(0.0, 0.0, f"m{number - 1}")


def compound(folded: str, start: int, has_blanks: bool) -> tuple[tuple[int, int, Number], ...]:
    """The numbers in digits with signs between them that begin at `start` in a text; () if there is no sign.

    Each has its first word and the end of its words before it, counted from there. Those of a date are the
    year, the month and the day. `has_blanks`: whether blanks part thousands.
    """
    match = _COMPOUND.match(folded, start) or (_WITH_BLANKS.match(folded, start) if has_blanks else None)
    return _parts(match[0]) if match else ()


@lru_cache(1 << 14)
def _parts(compound: str) -> tuple[tuple[int, int, Number], ...]:
    """
    >>> _parts("17-1/2")
    ((0, 3, Number(value=17.5, unit=0.0, name='', factor=1.0)),)
    >>> [number.name or number.value for _, _, number in _parts("2026-03-05")]
    [2026.0, 'm2', 5.0]
    """
    if number := _one_value(compound):
        return ((0, len(_DIGITS.findall(compound)), number),)
    for date in _DATES:
        if match := date.fullmatch(compound):
            parts = [whole_number(part) for part in match.groups()]
            parts[1] = month(int(parts[1].value))
            return tuple((place, place + 1, part) for place, part in enumerate(parts))
    pieces = _PIECES.findall(compound)
    numbers = [number for piece in pieces for number in _values(piece)]
    ends = [*accumulate(count for count, _ in numbers)]
    return tuple((end - count, end, number) for end, (count, number) in zip(ends, numbers, strict=True))


def _values(piece: str) -> list[tuple[int, Number]]:
    """The number that a part of a range is, with how many words it is; or those that it is made of."""
    words = _DIGITS.findall(piece)
    number = _one_value(piece)
    return [(len(words), number)] if number else [(1, whole_number(word)) for word in words]


def _one_value(compound: str) -> Number | None:
    """The number that digits with signs between them are; None if they are several ones."""
    if fraction := _FRACTION.fullmatch(compound):
        whole, above, below = fraction.groups("0")
        return Number(int(whole) + int(above) / int(below), 0.0)
    if either := _EITHER.fullmatch(compound):
        thousands, sign, rest = either.groups()
        point = Number(float(f"{thousands}.{rest}"), 0.001, "", 1e3)
        return point if sign == "." else whole_number(thousands + rest)._replace(factor=1e-3)
    if thousands := _THOUSANDS.fullmatch(compound) or _LAKHS.fullmatch(compound):
        digits, sign, places = thousands.groups()
        return _number(digits.replace(sign, ""), places)
    decimal = _DECIMAL.fullmatch(compound)
    return _number(*decimal.groups()) if decimal else None


def _number(whole: str, places: str | None) -> Number:
    return Number(float(f"{whole}.{places}"), 10.0 ** -len(places)) if places else whole_number(whole)


def whole_number(digits: str) -> Number:
    """A whole number; its unit is more than 1 if it seems rounded.

    >>> whole_number("120").unit, whole_number("12000").unit
    (1.0, 1000.0)
    """
    if len(digits) > _MOST_DIGITS:
        return Number(0.0, 0.0, digits)
    zeros = len(digits) - len(digits.rstrip("0"))
    return Number(float(digits), 10.0 ** (zeros if zeros >= _ROUND_DIGITS else 0))


@lru_cache(1 << 14)
def plain_number(word: str) -> tuple[Number, str]:
    """The number with which a word begins, and the letters behind it.

    >>> plain_number("7kg")
    (Number(value=7.0, unit=1.0, name='', factor=1.0), 'kg')
    >>> plain_number("4ر12")[0].value, plain_number("951ر625ر34")[0].value
    (12.4, 34625951.0)
    """
    match = _WORD.match(word)
    assert match, "digits"
    digits, arabic, letters = match.groups()
    return (_arabic([digits, *arabic[1:].split("ر")]) if arabic else whole_number(digits)), letters or ""


def _arabic(parts: list[str]) -> Number:
    """A number of which agencies write the last part first; a part of thousands may be one of decimals."""
    decimal = Number(float(f"{parts[-1]}.{parts[0]}"), 10.0 ** -len(parts[0]))
    if len(parts) > 2 and all(len(part) == 3 for part in parts[:-1]):
        return whole_number("".join(reversed(parts)))
    return decimal._replace(factor=1e3) if len(parts[0]) == 3 and parts[-1] != "0" else decimal


def agreeing_numbers(a: Mapping[Number, int], b: Mapping[Number, int]) -> int:
    """How many of the numbers of one text, each with how often it comes, have their own in the other one that
    agrees.
    """
    agreeing, rest, others = 0, [], []
    for number, count in a.items():
        same = min(count, b.get(number, 0))
        agreeing += same
        if same < count and not number.name:
            rest += [number] * (count - same)
    for number, count in b.items() if rest else ():
        if not number.name and count > a.get(number, 0):
            others += [number] * (count - a.get(number, 0))
    for number in rest:
        match = next(
            (other for other in others if number[1::2] != other[1::2] and number.agrees(other)), None
        )
        if match:
            others.remove(match)
            agreeing += 1
    return agreeing
