"""The numbers of a text by their values: "12.1 mln" is 12,141,000 rounded, "17-1/2" is 17.5, "seven" is 7."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_COMPOUND = re.compile(r"\d+(?:[.,/-]\d+)+")
_FRACTION = re.compile(r"(?:(\d+)-)?(\d+)/(2|4|8|16|32|64)")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_DECIMAL = re.compile(r"(\d+(?:\.(\d+))?)[^\W\d_]*")  # with an ordinal or a unit behind it: "2nd", "7kg"
_POINTED_THOUSANDS = re.compile(r"\d{1,3}(?:\.\d{3}){2,}")
_POINTED_UNIT = 0.001  # of what stands after a point that may also be that of thousands: "4.000"
_ROUND_DIGITS = 3  # zeros at the end of a number from which it is taken to be rounded

_SMALL_NUMERALS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_WRITTEN_NUMERALS = {word: float(value) for value, word in enumerate(_SMALL_NUMERALS)} | {
    word: 10.0 * value for value, word in enumerate(_TENS, 2)
}
_HUNDRED_WORD = "hundred"
_BELOW_TEN = "|".join(_SMALL_NUMERALS[1:10])
_BELOW_HUNDRED = (
    rf"(?:(?:{'|'.join(_TENS)})(?:[ -](?:{_BELOW_TEN}))?|{'|'.join(reversed(_SMALL_NUMERALS[1:]))})"
)
_WRITTEN_OUT = re.compile(
    rf"\b(?:(?:a|{_BELOW_HUNDRED})[ -]{_HUNDRED_WORD}(?:[ -](?:and )?{_BELOW_HUNDRED})?"
    rf"|(?:{'|'.join(_TENS)})[ -](?:{_BELOW_TEN}))\b"
)
_has_tens = re.compile(rf"ty[ -](?:{_BELOW_TEN})\b").search
_MONTHS = "january february march april may june july august september october november december".split()
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_CALENDAR = (
    {month: f"m{number}" for number, month in enumerate(_MONTHS)}
    | {month[:3]: f"m{number}" for number, month in enumerate(_MONTHS)}
    | {"sept": "m8"}
    | {day: f"d{number}" for number, day in enumerate(_DAYS)}
)
_KANJI_DAYS, _HANGUL_DAYS = "月火水木金土日", "월화수목금토일"  # from Monday on
_ALSO_WORDS = frozenset(("may", "march", "mar", "second"))  # dates only beside a number
_DIGITS = frozenset("0123456789")
_SCALES = {
    _HUNDRED_WORD: 1e2,
    **dict.fromkeys(("thousand", "千"), 1e3),
    "万": 1e4,
    **dict.fromkeys(("mln", "million", "millions"), 1e6),
    "亿": 1e8,
    **dict.fromkeys(("bln", "bn", "billion", "billions"), 1e9),
    "trillion": 1e12,
}


class Number(NamedTuple):
    """A number by its value; `unit` is that of its last digit (0: exact). What is no value, such as a date, a
    score or a month, has a `name` and is equal only to the same name.
    """

    value: float
    unit: float
    name: str = ""

    def agrees(self, other: Number) -> bool:
        """Whether both may state the same value, one of them rounded to a tenth or less of it, or written
        with a point before its last three digits, as in many languages: "4.000".
        """
        if self.name or other.name or self.value == other.value:
            return self[::2] == other[::2]
        few, many = sorted((self, other))
        is_pointed = few.unit == _POINTED_UNIT and 1 <= few.value < 1_000 <= 1_000 * many.unit
        if is_pointed and many.value == round(1_000 * few.value):
            return True
        unit = max(self.unit, other.unit)
        near = abs(self.value - other.value) <= 0.51 * unit
        return near and self.unit != other.unit and unit <= max(self.value, other.value) / 10


def number_spans(folded: str, digits: NDArray[np.uint8]) -> list[tuple[int, int]]:
    """Where "12,141,000", "17-1/2" and "twenty-five" stand in a folded text; `digits`: which characters are
    digits.
    """
    spans = []
    if (digits[:-2] & ~digits[1:-1] & digits[2:]).any():  # a digit, something else, and a digit
        spans += [match.span() for match in _COMPOUND.finditer(folded)]
    if _HUNDRED_WORD in folded or _has_tens(folded):
        spans += [match.span() for match in _WRITTEN_OUT.finditer(folded)]
    return spans


def find_numbers(folded: str, words: Sequence[str]) -> dict[int, Number]:
    """The numbers among the words of a folded text, by place; days of the week and months, too."""
    return _written_numbers(words) | _weekdays(folded, words)


def _written_numbers(words: Sequence[str]) -> dict[int, Number]:
    numbers: dict[int, Number] = {}
    written = _known_words().intersection(words)
    written |= {word for word in {*words} if not word.isalnum() and _WRITTEN_OUT.fullmatch(word)}
    places = [place for place, word in enumerate(words) if word[0] in _DIGITS or word in written]
    for place in places:
        word = words[place]
        if word in written:
            if word in _CALENDAR:
                if word not in _ALSO_WORDS or _beside_number(words, place):
                    numbers[place] = Number(0.0, 0.0, _CALENDAR[word])
            else:
                numbers[place] = _apply_scale(Number(_written_value(word), 1.0), words, place)
        else:
            numbers[place] = _apply_scale(_number(word), words, place)
    return numbers


def _weekdays(folded: str, words: Sequence[str]) -> dict[int, Number]:
    """The days of the week in Japanese and Korean, by place: a letter tells one from the other."""
    numbers: dict[int, Number] = {}
    if "曜" in folded:
        places = [place for place in range(1, len(words)) if words[place] == "曜"]
        numbers = {
            place - 1: _weekday(_KANJI_DAYS, words[place - 1])
            for place in places
            if words[place - 1] in {*_KANJI_DAYS}
        }
    if "요일" in folded:
        days = ((place, word) for place, word in enumerate(words) if word[1:3] == "요일")
        numbers |= {place: _weekday(_HANGUL_DAYS, day[0]) for place, day in days if day[0] in _HANGUL_DAYS}
    return numbers


def _weekday(days: str, letter: str) -> Number:
    return Number(0.0, 0.0, f"d{days.find(letter)}")


def _written_value(word: str) -> float:
    """
    >>> _written_value("a hundred and twenty-five")
    125.0
    """
    hundreds, has_hundred, rest = word.rpartition(_HUNDRED_WORD)
    below = sum(_WRITTEN_NUMERALS.get(part, 0.0) for part in re.split("[ -]", rest))
    return 100 * _WRITTEN_NUMERALS.get(hundreds[:-1], 1.0) + below if has_hundred else below


@cache
def _known_words() -> frozenset[str]:
    return frozenset(chain(_CALENDAR, _WRITTEN_NUMERALS))


def _beside_number(words: Sequence[str], place: int) -> bool:
    return any(
        word[0].isdigit() for word in (*words[max(0, place - 1) : place], *words[place + 1 : place + 2])
    )


def _apply_scale(number: Number, words: Sequence[str], place: int) -> Number:
    scale = _SCALES.get(words[place + 1]) if place + 1 < len(words) else None
    return number._replace(value=number.value * scale, unit=number.unit * scale) if scale else number


@lru_cache(1 << 14)
def _number(word: str) -> Number:
    """
    >>> _number("17-1/2"), _number("12,141,000").value, _number("2026-03-05").name
    (Number(value=17.5, unit=0.0, name=''), 12141000.0, '2026-03-05')
    """
    if fraction := _FRACTION.fullmatch(word):
        whole, above, below = fraction.groups("0")
        return Number(int(whole) + int(above) / int(below), 0.0)
    digits = word.replace(",", "") if _THOUSANDS.fullmatch(word) else word
    digits = word.replace(".", "") if _POINTED_THOUSANDS.fullmatch(word) else digits
    if len(digits) > 18 or not (decimal := _DECIMAL.fullmatch(digits)):
        return Number(0.0, 0.0, word)
    value, places = decimal.groups()
    zeros = 0 if places else len(value) - len(value.rstrip("0"))
    unit = 10.0 ** -len(places) if places else 10.0 ** (zeros if zeros >= _ROUND_DIGITS else 0)
    return Number(float(value), unit)


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
        match = next((other for other in others if number.unit != other.unit and number.agrees(other)), None)
        if match:
            others.remove(match)
            agreeing += 1
    return agreeing
