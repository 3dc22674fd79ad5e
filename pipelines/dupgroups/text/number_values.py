"""Numbers by their values: "12.1 mln" is 12,100,000 rounded, "17-1/2" is 17.5, "siebzehn" is 17.

This module reads digits; `number_words.py` has the words for numbers, `number_reader.py` finds and adds both.

| form | examples |
|---|---|
| with decimals or thousands | 33.5; 33,5; 1.234.567; 1 234 567; 12,34,567; 4ر12 (12.4 in Arabic) |
| that may be either | 4.215; 4,215: it agrees with both |
| with a scale | 3.5 million; half a million; 5 тыс; 427.31万; 12亿5000万; 3.4m, which may be metres |
| in words or characters | a hundred and twenty-five; quatre-vingt-dix; hai mươi lăm; 两千三百; 二〇二四 |
| fractions | 17-1/2; 3/4; 三分之一 |
| days and months by name | Monday, 周一; March, 3月; the month of 2026-03-05 and of 5.3.2026 |

Ranges, scores and times are the numbers that they are made of; of hours see `day_hours.py`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_ROUND_DIGITS = 3  # zeros at the end of a number from which it is taken to be rounded
_MOST_DIGITS = 18  # of a number; a longer one is a name
_EXACT_SHARE = 1e-9  # share of a value by which two computed ones may differ
_COMPOUND = re.compile(r"\d+(?:[.,،/’'٫٬-]\d+)+")
_WITH_BLANKS = re.compile(r"(?<![\d.,-])(?<!\d )[1-9]\d{0,2}(?: \d{3})+(?![ -]?\d)(?:,\d+)?")
_PIECES, _DIGITS = re.compile("[^/-]+"), re.compile(r"\d+")
_FRACTION = re.compile(r"(?:(\d+)-)?(\d+)/(2|4|8|16|32|64)")
_THOUSANDS = re.compile(r"([1-9]\d{0,2}(?:([.,’' ٬])\d{3})(?:\2\d{3})*)(?:(?!\2)[.,٫](\d+))?")
_LAKHS = re.compile(r"([1-9]\d?(?:(,)\d\d)+,\d{3})(?:\.(\d+))?")
_EITHER = re.compile(r"([1-9]\d{0,2})([.,])(\d{3})")
_DECIMAL = re.compile(r"(\d+)(?:[.,٫](\d+))?")
_YEAR, _MONTH, _DAY = r"((?:19|20)\d\d)", "(0?[1-9]|1[0-2])", "(0?[1-9]|[12]\\d|3[01])"
_YEAR_FIRST, _DAY_FIRST = re.compile(f"{_YEAR}-{_MONTH}-{_DAY}"), re.compile(rf"{_DAY}\.{_MONTH}\.{_YEAR}")
_SHORT_DATE = re.compile(r"(\d\d?)/(\d\d?)|(0[1-9])\.(\d\d)")  # without a year
_FIRST_DIGITS = re.compile(r"\d+(?:ر\d+)*")  # of a word; an ordinal or a unit may follow: "2nd", "7kg"


class Number(NamedTuple):
    """A number by its value; `unit` is that of its last digit (0: exact).

    If its sign of decimals may be one of thousands, or the other way round, or the letter behind it a scale
    ("3.4m"), `factor` times it is the other reading (1: there is none). What is no value, such as a month,
    has a `name` and equals only the same name; a number that may be a month has both.
    """

    value: float
    unit: float
    name: str = ""
    factor: float = 1.0

    @property
    def is_weekday(self) -> bool:
        """Whether it is a day of the week."""
        return self.name[:1] == "d"

    def agrees(self, other: Number) -> bool:
        """Whether both may state one value: one rounded to a tenth or less, or rounded otherwise in its last
        digit, or its point that of thousands.
        """
        if self.value == other.value:
            is_other_scale = 1 != self.factor != other.factor != 1  # 3.4m and 3.4k
            return not is_other_scale and (self.value != 0 or self.name == other.name)
        if self.name or other.name:
            return self.name == other.name
        if self.factor == other.factor == 1:
            return _are_near(self.value, self.unit, other.value, other.unit)
        return any(_are_near(*one, *two) for one in self._readings() for two in other._readings())

    def _readings(self) -> list[tuple[float, float]]:
        own = (self.value, self.unit)
        return [own] if self.factor == 1 else [own, (self.value * self.factor, self.unit * self.factor)]


def _are_near(value: float, unit: float, other: float, other_unit: float) -> bool:
    distance, coarse, larger = abs(value - other), max(unit, other_unit), max(value, other)
    is_rounded = distance <= 0.51 * coarse and unit != other_unit and coarse <= larger / 10
    if unit == other_unit != 1 and unit <= larger / 1000:  # a measured value of four digits, and no year
        return distance <= 1.01 * unit
    return is_rounded or distance <= _EXACT_SHARE * value


def month(number: int) -> Number:
    """A month, from 1 on."""
    return Number(0.0, 0.0, f"m{number - 1}")


def read_digits(text: str, start: int, word: str) -> list[tuple[int, Number]]:
    """The numbers in digits that begin with the `word` at `start`, and how many words each is before it.

    Those of a date are the year, the month and the day.

    >>> read_digits("7kg", 0, "7kg"), read_digits("951ر625ر34", 0, "951ر625ر34")[0][1].value
    ([(1, Number(value=7.0, unit=1.0, name='', factor=1.0))], 34625951.0)
    """
    if match := _COMPOUND.match(text, start) or _WITH_BLANKS.match(text, start):
        return _parts(match[0].replace("،", ","))
    digits = _FIRST_DIGITS.findall(word)[0].split("ر")  # the last part first, as agencies write it in Arabic
    return [(1, _one_value(".".join(reversed(digits))) or decimal(digits[0]))]


def _parts(compound: str) -> list[tuple[int, Number]]:
    """
    >>> _parts("17-1/2")
    [(3, Number(value=17.5, unit=0.0, name='', factor=1.0))]
    >>> [number.name or number.value for _, number in _parts("2026-03-05")]
    [2026.0, 'm2', 5.0]
    """
    number, short = _one_value(compound), _SHORT_DATE.fullmatch(compound)
    if short and (short[3] or not number):  # 09.07 or 6/7, but not 3/4
        return [(1, _perhaps_month(decimal(digits))) for digits in short.groups() if digits]
    if number:
        return [(len(_DIGITS.findall(compound)), number)]
    if date := _YEAR_FIRST.fullmatch(compound) or _DAY_FIRST.fullmatch(compound):
        first, second, last = date.groups()
        return [(1, decimal(first)), (1, month(int(second))), (1, decimal(last))]
    pieces = _PIECES.findall(compound)
    pieces = pieces if len(pieces) > 1 else _DIGITS.findall(compound)
    return [part for piece in pieces for part in _parts(piece)]


def _perhaps_month(number: Number) -> Number:
    return number._replace(name=month(int(number.value)).name) if 1 <= number.value <= 12 else number


def _one_value(compound: str) -> Number | None:
    """The number that digits with signs between them are; None if they are several ones."""
    if fraction := _FRACTION.fullmatch(compound):
        whole, above, below = map(int, fraction.groups("0"))
        return Number(whole + above / below, 0.0)
    if either := _EITHER.fullmatch(compound):
        thousands, sign, rest = either.groups()
        point = Number(float(f"{thousands}.{rest}"), 0.001, "", 1e3)
        return point if sign == "." else decimal(thousands + rest)._replace(factor=1e-3)
    if thousands := _THOUSANDS.fullmatch(compound) or _LAKHS.fullmatch(compound):
        digits, sign, places = thousands.groups()
        return decimal(digits.replace(sign, ""), places)
    match = _DECIMAL.fullmatch(compound)
    return decimal(*match.groups()) if match else None


def decimal(whole: str, places: str | None = None) -> Number:
    """The number with these digits before and after its point; a whole one with many zeros seems rounded.

    >>> decimal("120").unit, decimal("12000").unit, decimal("12", "50").unit
    (1.0, 1000.0, 0.01)
    """
    if places:
        return Number(float(f"{whole}.{places}"), 10.0 ** -len(places))
    if len(whole) > _MOST_DIGITS:
        return Number(0.0, 0.0, whole)
    zeros = len(whole) - len(whole.rstrip("0"))
    return Number(float(whole), 10.0 ** (zeros if zeros >= _ROUND_DIGITS else 0))
