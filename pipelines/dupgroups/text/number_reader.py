"""Where the numbers of a text stand, in digits, words or characters, and their values.

Several parts are one number: "a hundred and twenty-five", "3.5 million", 12亿5000万.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from dupgroups.text.number_sum import Part, Sum
from dupgroups.text.number_table import NEVER_FIRST, Table, table_of
from dupgroups.text.number_values import Number, compound, month, plain_number
from dupgroups.text.number_words import (
    AFTER_MONTH,
    ARTICLE,
    BEFORE_MONTH,
    BESIDE_NUMBER,
    COUNTED,
    JOINS,
    LAST,
    NO_NUMBER,
    OF_PARTS,
    ORDINAL,
    Reading,
)

_GAPS = frozenset(("", " ", "-", "\n", "‐", "‑"))  # between the parts of one number
_NOTHING = Number(0.0, 0.0, "none")  # what looks like a number


class Found(NamedTuple):
    """A number in the words from `first` to before `end`."""

    first: int
    end: int
    number: Number


def find_numbers(
    folded: str,
    words: Sequence[str],
    starts: Sequence[int],
    ends: Sequence[int],
    digits: Sequence[int],
    is_single: bool,
) -> list[Found]:
    """The numbers among the words of a folded text, in order.

    `starts` and `ends`: where its words are; `digits`: the places of those that begin with a digit;
    `is_single`: whether most words are characters, so that the others do not tell the language.
    """
    table = table_of(() if is_single else words)
    known = table.starters.intersection(words)
    places = digits
    if known:
        places = sorted([*digits, *(place for place, word in enumerate(words) if word in known)])
    has_marks = not table.marks.isdisjoint(words)
    return [*_Reader(folded, words, starts, ends, table, has_marks).read_all(places)] if places else []


@dataclass(slots=True)
class _Reader:
    """Reads the numbers of one text; `starts` and `ends`: where its words are in the `folded` text."""

    folded: str
    words: Sequence[str]
    starts: Sequence[int]
    ends: Sequence[int]
    table: Table
    has_marks: bool
    """Whether there are words that tell what a number is."""
    figures: dict[int, tuple[int, Number]] = field(default_factory=dict)
    """The numbers in digits of several words, up to here: by the first one, the end and the number."""

    def read_all(self, places: Iterable[int]) -> Iterator[Found]:
        """The numbers, months and days that begin at these places, ascending, without overlaps."""
        end = 0
        for place in places:
            if place >= end and (found := self._read(place)):
                end = found.end
                if found.number is not _NOTHING:
                    yield found

    def _read(self, place: int) -> Found | None:
        if "0" <= self.words[place][0] <= "9":
            found = self._read_figure(place)
            return self._dated(found) if self.has_marks else found
        word, table = self.words[place], self.table
        is_part = word in table.phrases and self._word(place + 1) not in table.phrases[word]
        if is_part or (word in table.counted and self._is_alone(place)):
            return None
        number = table.plain.get(word)
        if number and not self.has_marks and not self._goes_on(place + 1):
            return Found(place, place + 1, number)
        return next(filter(None, (self._read_as(place, reading) for reading in self._readings(place))), None)

    def _read_figure(self, place: int) -> Found:
        end, number = self._figure(place)
        if number.name or not self._goes_on(end):
            return Found(place, end, number)
        scale = self.table.scales.get(self.words[end])
        if scale and not self._goes_on(end + 1) and self._is_near(end):
            return Found(place, end + 1, number.times(scale))
        return self._sum(place, Part(end, number))

    def _read_as(self, place: int, reading: Reading) -> Found | None:
        """The number, the month or the day that a word is by one of its readings."""
        if reading.name:
            return self._date_word(place, reading)
        if reading.use in NEVER_FIRST:
            is_phrase = reading.use == NO_NUMBER and reading.rest
            return Found(place, place + 1 + len(reading.rest), _NOTHING) if is_phrase else None
        if reading.number is None:
            return self._after_article(place)
        end = place + 1 + len(reading.rest)
        found = Found(place, end, reading.number)
        if self._goes_on(end):
            found = self._sum(place, _worded(place, reading))
        if self.has_marks:
            found = self._dated(found)
        is_read = reading.use != COUNTED or found.end > end or self._is_counted(found)
        return found if is_read else None

    def _date_word(self, place: int, reading: Reading) -> Found | None:
        end = place + 1 + len(reading.rest)
        near = (*self.words[max(0, place - 1) : place], *self.words[end : end + 1])
        is_read = reading.use != BESIDE_NUMBER or any("0" <= word[0] <= "9" for word in near)
        return Found(place, end, Number(0.0, 0.0, reading.name)) if is_read else None

    def _after_article(self, place: int) -> Found | None:
        """The number that an article and a scale are: "a million"."""
        before = self._reading(place - 1) if place and self._is_near(place) else None
        is_article = before and before.use == ARTICLE
        return self._sum(place - 1, _worded(place - 1, before)) if before and is_article else None

    def _is_counted(self, found: Found) -> bool:
        """Whether a character is a number: before what it counts, or as an ordinal or a month."""
        is_counted = self._is_counter(self._word(found.end))
        return is_counted or bool(found.number.name) or self._follows(found.first, (ORDINAL, OF_PARTS))

    def _is_counter(self, word: str) -> bool:
        counters = self.table.counters
        return word[:1] in counters or word[:2] in counters or word in counters

    def _is_alone(self, place: int) -> bool:
        """Whether nothing around a character can make it a number."""
        following, marks = self._word(place + 1), self.table.marks
        if self._goes_on(place + 1) or self._is_counter(following) or following in marks:
            return False
        return not place or marks.isdisjoint(self.words[max(0, place - 2) : place])

    def _dated(self, found: Found) -> Found:
        """The number, or the month if a word beside it says that it is one, or the share if parts follow."""
        marks = self.table.marks
        following = self._reading(found.end) if self._word(found.end) in marks else None
        if following and following.use == OF_PARTS:
            return self._share(found, found.end + 1 + len(following.rest))
        is_month = following and following.use == AFTER_MONTH
        if (is_month or self._follows(found.first, (BEFORE_MONTH,))) and found.number.value in range(1, 13):
            return found._replace(number=month(int(found.number.value)))
        return found

    def _share(self, whole: Found, place: int) -> Found:
        """One of three parts: 三分之一."""
        part = self._part(place)
        if not part or not part.number or not whole.number.value:
            return whole
        count = self._sum(place, part)
        return Found(whole.first, count.end, Number(count.number.value / whole.number.value, 0.0))

    def _sum(self, place: int, part: Part | None) -> Found:
        """The number of this part and those that go on with it."""
        total, end = Sum(), place
        while part and total.add(part, is_close=end > place and self._is_character(end)):
            end = part.end
            part = None if part.is_last else self._next_part(end, total.is_open)
        return Found(place, total.ends[-1], total.number)

    def _next_part(self, place: int, is_open: bool) -> Part | None:
        """The part that goes on with a number, after an "and" if it may."""
        if not self._goes_on(place) or not self._is_near(place):
            return None
        reading = self._reading(place)
        if reading and reading.use == JOINS:
            reading = self._reading(place + 1) if is_open and self._is_near(place + 1) else None
            return _worded(place + 1, reading) if reading and not reading.scale else None
        return self._part(place)

    def _goes_on(self, place: int) -> bool:
        """Whether a number may go on with this word: also a figure right behind a character."""
        if place == len(self.words):
            return False
        word = self.words[place]
        return word in self.table.going_on or (
            "0" <= word[0] <= "9" and self.starts[place] == self.ends[place - 1]
        )

    def _is_character(self, place: int) -> bool:
        """Whether what is here is no digit, and right behind another character."""
        return self.words[place][0] > "9" and self.starts[place] == self.ends[place - 1]

    def _is_near(self, place: int) -> bool:
        return place < len(self.words) and self.folded[self.ends[place - 1] : self.starts[place]] in _GAPS

    def _part(self, place: int) -> Part | None:
        if "0" <= self._word(place)[:1] <= "9":
            return Part(*self._figure(place))
        reading = self._reading(place)
        return _worded(place, reading) if reading else None

    def _figure(self, place: int) -> tuple[int, Number]:
        """The end and the value of the number in digits that begins here."""
        if self._is_compound(place) and place not in self.figures:
            for first, end, number in compound(self.folded, self.starts[place], self.table.has_blanks):
                self.figures[place + first] = place + end, self._with_suffix(number, place + end - 1)
        if place in self.figures:
            return self.figures[place]
        return place + 1, self._with_suffix(plain_number(self.words[place])[0], place)

    def _with_suffix(self, number: Number, last: int) -> Number:
        """The number, times the scale that is written right behind the digits of its last word: "5bn"."""
        _, suffix = plain_number(self.words[last])
        scale = self.table.scales.get(suffix) if suffix else None
        return number.times(scale) if scale else number

    def _is_compound(self, place: int) -> bool:
        """Whether one sign stands between the digits here and others."""
        after = place + 1
        return (
            after < len(self.words)
            and self.starts[after] == self.ends[place] + 1
            and "0" <= self.words[after][0] <= "9"
        )

    def _word(self, place: int) -> str:
        return self.words[place] if place < len(self.words) else ""

    def _readings(self, place: int) -> Iterator[Reading]:
        """What the words that begin here may mean, the longest first."""
        for reading in self.table.readings.get(self._word(place), ()):
            rest = reading.rest
            if not rest or tuple(self.words[place + 1 : place + 1 + len(rest)]) == rest:
                yield reading

    def _reading(self, place: int) -> Reading | None:
        """The longest of them that is no name."""
        return next((reading for reading in self._readings(place) if not reading.name), None)

    def _follows(self, place: int, uses: Sequence[str]) -> bool:
        """Whether words of these uses, one or two, stand before this place."""
        for length in (1, 2):
            if place >= length and self.words[place - length] in self.table.marks:
                for reading in self._readings(place - length):
                    if reading.use in uses and len(reading.rest) == length - 1:
                        return True
        return False


def _worded(place: int, reading: Reading) -> Part:
    """The part of a number that is said in words; without a value or a scale if it is none."""
    end = place + 1 + len(reading.rest)
    return Part(end, reading.number, reading.scale, reading.is_joined, reading.use == LAST)
