"""Where the numbers of a text stand, in digits, words or characters, and their values.

Words that may belong to one number are a run: "a hundred and twenty-five", "3.5 million", 12亿5000万. A run
is cut into parts, and those that fit are added up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, compress, count
from typing import NamedTuple

from dupgroups.text.number_values import Number, decimal, month, read_digits
from dupgroups.text.number_words import FIRST_OF_FEW, Reading, Table, Use, language_of, table_of

_CACHED_RUNS = 1 << 14
_MAX_CACHED_WORDS = 40  # of a run; those of tables are longer and come once
_AFTER_DIGIT = ":"  # words below it begin with a digit
_GAPS = {"", *" -\n‐‑'\u200c", ") "}  # between the words of one number: "(162) million"
_LOOSE_GAPS = {*_GAPS, *".,،/’٫٬", ". "}  # between those of a date or a number in digits
_FIGURE = "figure"  # the use of a number in digits
_SPELLED_DIGITS = re.compile("(?<![十百千万亿])[〇零一二两三四五六七八九]{2,}")
_SPELLED_DECIMAL = re.compile(
    "(?<=分之)([〇零一二两三四五六七八九]?)(十?)([一二三四五六七八九]?)点([〇零一二三四五六七八九]+)"
)
_PAUSES = re.compile("[,.،]")  # folded
_DIGIT_OF = str.maketrans("〇零一二两三四五六七八九", "001223456789")


class Found(NamedTuple):
    """A number in the words from `first` to before `end`."""

    first: int
    end: int
    number: Number


class _Part(NamedTuple):
    """The meaning of the words from `first` to before `end`; `is_apart`: it is not added to what is
    before.
    """

    first: int
    end: int
    reading: Reading
    is_apart: bool = False


def find_numbers(
    folded: str,
    words: Sequence[str],
    starts: Sequence[int],
    ends: Sequence[int],
    digits: Sequence[int],
    is_single: bool,
) -> list[Found]:
    """The numbers among the words of a folded text, in order; [] without numbers.

    `starts` and `ends`: where its words are; `digits`: the places of those that begin with a digit;
    `is_single`: whether most words are characters, so that the others do not tell the language.
    """
    language = "" if is_single else language_of(words)
    table, found, end = table_of(language), list[Found](), 0
    for place in sorted((*digits, *compress(count(), map(table.starts.__contains__, words)))):
        if place < end:
            continue
        end = place + 1
        while end < len(words) and (words[end] in table.inside or words[end] < _AFTER_DIGIT):
            if folded[ends[end - 1] : starts[end]] not in _LOOSE_GAPS:
                break
            end += 1
        first = place - (place > 0 and words[place - 1] in table.before.get(words[place], ()))
        is_counted = words[end - 1] in table.counted and _is_counter("".join(words[end : end + 1]), table)
        text = folded[starts[first] : ends[end - 1]]
        read = _numbers if end - first <= _MAX_CACHED_WORDS else _numbers.__wrapped__
        for start, stop, number in read((*words[first:end],), text, language, is_counted):
            found.append(Found(first + start, first + stop, number))
    return found


@lru_cache(_CACHED_RUNS)
def _numbers(words: tuple[str, ...], text: str, language: str, is_counted: bool) -> list[Found]:
    """The numbers of a run with this text; `is_counted`: whether a word for what is counted follows."""
    table = table_of(language)
    parts = [*_parts(words, text, table)]
    counted = [*(_is_counter(word, table) for word in words[1:]), is_counted]
    found, place = list[Found](), 0
    while place < len(parts):
        number, after = _value(parts, place, counted[parts[place].end - 1])
        if number:
            found.append(Found(parts[place].first, parts[after - 1].end, number))
        place = after
    return found


def _is_counter(word: str, table: Table) -> bool:
    return not table.counters.isdisjoint((word[:1], word[:2], word))


def _parts(words: Sequence[str], text: str, table: Table) -> Iterator[_Part]:
    """The parts of a run, in order; a word that means nothing is one, too."""
    ends = [*accumulate(words, lambda end, word: text.index(word, end) + len(word), initial=0)]
    place, is_scaled = 0, False
    while place < len(words):
        is_figure, start = words[place] < _AFTER_DIGIT, ends[place + 1] - len(words[place])
        gaps = {""} if is_figure and not is_scaled else _GAPS
        parts = (_figures if is_figure else _read_words)(words, place, text, start, table)
        is_apart = text[ends[place] : start] not in gaps
        yield from (parts[0]._replace(is_apart=is_apart), *parts[1:])
        place = parts[-1].end
        is_scaled = parts[-1].reading.scale > 0 and words[place - 1] >= FIRST_OF_FEW  # 3만 5천


def _figures(words: Sequence[str], place: int, text: str, start: int, table: Table) -> list[_Part]:
    """The parts that the digits mean which begin here: "5bn" is two, a date is three."""
    parts, end = list[_Part](), place
    for width, number in read_digits(text, start, words[place]):
        parts.append(_Part(end, end := end + width, Reading(number, use=_FIGURE)))
    for suffix in table.readings.get(words[end - 1].lstrip("0123456789"), ())[:1]:
        if suffix.use == Use.EITHER:  # 3.4m
            number = number._replace(factor=suffix.scale)
            parts[-1] = parts[-1]._replace(reading=Reading(number, use=_FIGURE))
        elif suffix.scale or (suffix.number and suffix.number.value < 1):  # 17½
            parts.append(_Part(end - 1, end, suffix))
    return parts


def _read_words(words: Sequence[str], place: int, text: str, start: int, table: Table) -> list[_Part]:
    """The longest part that begins here with a word."""
    if spelled := _SPELLED_DIGITS.match(text, start):
        digits = spelled[0].translate(_DIGIT_OF)
        is_number = len(digits) > 2 or "0" in digits  # 三四 is "three or four"
        return [_Part(place, place + len(digits), Reading(Number(float(digits), 1.0) if is_number else None))]
    if spelled := _SPELLED_DECIMAL.match(text, start):
        tens, ten, ones, part = (group.translate(_DIGIT_OF) for group in spelled.groups())
        whole = 10 * int(tens or 1) + int(ones or 0) if ten else int(tens or 0)
        return [_Part(place, place + len(spelled[0]), Reading(decimal(str(whole), part)))]
    for reading in table.readings.get(words[place], ()):
        end = place + 1 + len(reading.rest)
        near = (*words[max(0, place - 1) : place], *words[end : end + 1])
        is_read = reading.use != Use.BESIDE_NUMBER or any(word < _AFTER_DIGIT for word in near)
        if is_read and (*words[place + 1 : end],) == reading.rest and _are_joined(reading.rest, text, start):
            return [_Part(place, end, reading)]
    return [_Part(place, place + 1, Reading())]


def _are_joined(rest: Sequence[str], text: str, start: int) -> bool:
    """Whether nothing parts these words from each other and from the word that begins at `start`."""
    ends = accumulate(rest, lambda end, word: text.index(word, end) + len(word), initial=start)
    return not rest or not _PAUSES.search(text, start, [*ends][-1])


def _value(parts: Sequence[_Part], place: int, is_counted: bool) -> tuple[Number | None, int]:
    """The number, month or day that begins with a part, None if there is none, and the place after it.

    `is_counted`: whether the part is before a word for what is counted.
    """
    reading = parts[place].reading
    before = parts[place - 1].reading.use if place else ""
    number, after = _sum(parts, place)
    following = parts[after].reading.use if after < len(parts) else ""
    if number and number.value and following == Use.OF_PARTS:
        share, end = _sum(parts, after + 1)
        return (Number(share.value / number.value, 0.0), end) if share else (number, after)
    is_month = following == Use.AFTER_MONTH or before == Use.BEFORE_MONTH
    if number and is_month and number.value in range(1, 13):
        return month(int(number.value)), after
    is_alone = after == place + 1 and reading.use in (Use.COUNTED, Use.ARTICLE)
    is_read = is_counted or before in (Use.ORDINAL, Use.OF_PARTS)
    return None if is_alone and not is_read else number, after


def _sum(parts: Sequence[_Part], place: int) -> tuple[Number | None, int]:
    """The number that begins with a part, None if there is none, and the place after it."""
    total, end = _Sum(), place
    while end < len(parts) and total.add(parts[end], end + 1):
        end += 1
    return (total.number, total.ends[-1]) if total.terms else (None, place + 1)


@dataclass(slots=True)
class _Sum:
    """The terms of a number, each less than the one before it, and the places after their parts.

    A scale multiplies the terms before it that are less than it is.
    """

    terms: list[Number] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    is_open: bool = False
    """Whether something may be added to the last term."""
    is_joined: bool = False
    """Whether the last part was an "and"."""

    @property
    def number(self) -> Number:
        return self.terms[-1]._replace(value=sum(term.value for term in self.terms))

    def add(self, part: _Part, end: int) -> bool:
        """Whether this part belongs to the number."""
        reading = part.reading
        if (self.terms and part.is_apart) or (self.is_joined and reading.scale):
            return False
        self.is_joined = reading.use == Use.JOINS
        if self.is_joined:
            return self.is_open
        if not (reading.scale and self._multiply(reading.scale)) and not self._fits(reading):
            return False
        self.ends[len(self.terms) - 1 :] = [end]
        self.is_open &= reading.use != Use.LAST
        return True

    def _fits(self, reading: Reading) -> bool:
        """Add a number as a new term, or to the last one; whether it fits."""
        number, last = reading.number, self.terms[-1].value if self.terms else 0.0
        if not number or (number.name and self.terms):
            return False
        value = number.value
        if self.is_open and not value:  # 一百零五
            return True
        if not self.terms or (_has_zeros_for(last, value) and (self.is_open or 0 < value < 1)):
            self.terms.append(number)
            self.is_open = reading.scale > 0 or (value >= 20 and value % 10 == 0 and reading.use != _FIGURE)
        elif reading.use == Use.JOINED and 0 < last < 10 <= value < 100:
            self.terms[-1] = number._replace(value=last + value)
        else:
            return False
        return True

    def _multiply(self, scale: float) -> bool:
        """Multiply the terms that are less than a scale. If that is too much, they begin the next number."""
        is_figure = len(self.terms) == 1 and not self.is_open  # 1,035,767 mln
        less = [term for term in self.terms if term.value < scale or is_figure]
        value = scale * sum(term.value for term in less)
        if not value:
            return False
        first = len(self.terms) - len(less)
        del self.terms[first:], self.ends[first:]
        self.is_open = not self.terms or _has_zeros_for(self.terms[-1].value, value)
        if self.is_open:
            self.terms.append(less[-1]._replace(value=value, unit=scale * less[-1].unit))
        return self.is_open


def _has_zeros_for(term: float, value: float) -> bool:
    """
    >>> _has_zeros_for(200, 35), _has_zeros_for(20, 5), _has_zeros_for(20, 15), _has_zeros_for(5, 0.5)
    (True, True, False, True)
    """
    return term > value and (value < 1 or term % 10 ** len(str(int(value))) == 0)
