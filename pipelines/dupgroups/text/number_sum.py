"""The value of a number of several parts, from the first to the last one.

Each part is a term of a sum; a scale multiplies the terms before it that are less than it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from dupgroups.text.number_values import Number

_BEFORE_TEENS = (60, 80)  # in French: soixante-douze, quatre-vingt-douze
_LONGEST = 1e15  # a number in single characters


class Part(NamedTuple):
    """A part of a number, before the word `end`: a number, or a scale, or what may be either."""

    end: int
    number: Number | None
    scale: float = 0.0
    is_joined: bool = False
    is_last: bool = False


@dataclass(slots=True)
class Sum:
    """The terms of a number, each less than the one before it, and where each ends."""

    terms: list[float] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    unit: float = 1.0
    factor: float = 1.0
    is_open: bool = False
    """Whether something may be added to the last term: it has zeros at its end."""

    def add(self, part: Part, is_close: bool = False) -> bool:
        """Whether this part belongs to the number; `is_close`: nothing stands before it."""
        if part.scale and self._multiply(part.scale, part.end):
            return True
        number = part.number
        if number is None or not self._fits(part, number.value, is_close):
            return False
        self.ends[-1] = part.end
        self.unit, self.factor = number.unit, number.factor
        return True

    def _fits(self, part: Part, value: float, is_close: bool) -> bool:
        """Add a value as a new term, or to the last one; whether it fits."""
        last = self.terms[-1] if self.terms else 0.0
        if not self.terms or (self.is_open and value and _has_zeros_for(last, value)):
            self.terms.append(value)
            self.ends.append(part.end)
            self.is_open = part.scale > 0 or (value >= 20 and value % 10 == 0)
        elif self.is_open and not value:  # 一百零五
            return True
        elif (
            is_close and value < 10 and last < _LONGEST and not self.is_open and len(self.terms) == 1
        ):  # 二〇二四
            self.terms[-1] = 10 * last + value
        elif (part.is_joined and last < 10 <= value < 100) or (last in _BEFORE_TEENS and 10 <= value < 20):
            self.terms[-1] = last + value
        else:
            return False
        return True

    def _multiply(self, scale: float, end: int) -> bool:
        """Multiply the terms that are less than a scale. If that is too much, they begin the next number."""
        count = len(self.terms)
        while count and self.terms[count - 1] < scale:
            count -= 1
        product = scale * sum(self.terms[count:])
        if not product:
            return False
        del self.terms[count:], self.ends[count:]
        if self.terms and not _has_zeros_for(self.terms[-1], product):
            return False
        self.terms.append(product)
        self.ends.append(end)
        self.unit *= scale
        self.is_open = True
        return True

    @property
    def number(self) -> Number:
        """The number so far."""
        return Number(sum(self.terms), self.unit, "", self.factor)


def _has_zeros_for(term: float, value: float) -> bool:
    """
    >>> _has_zeros_for(200, 35), _has_zeros_for(20, 5), _has_zeros_for(20, 15), _has_zeros_for(5, 20)
    (True, True, False, False)
    """
    return term > value and term % 10 ** len(str(int(value))) == 0
