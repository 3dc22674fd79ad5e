"""Which threshold would change a verdict: each parameter of the judge is varied until the relation changes.

A relation changes at most a few times along one parameter, and never back, so doubling steps find a value
beyond the first change, and halving them finds the nearest one. Nothing is derived from the reason: every
value is that of a judge that was built with it and asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from dupgroups.errors import ConfigError
from dupgroups.model import Record, Relation
from dupgroups.verdicts import Judge

STEP = 0.0001  # of a parameter that is a share; counts go by 1
FARTHEST = 1 << 20  # steps from the present value that are tried
_DIGITS = 6

Ask = Callable[[int], Relation | None]


@dataclass(frozen=True, slots=True)
class Change:
    """The nearest value `to` of a parameter, in one direction, with which the verdict would be `relation`."""

    parameter: str
    value: float
    to: float
    relation: Relation


def changes(judge: Judge, a: Record, b: Record) -> list[Change]:
    """The nearest changes of every numeric parameter, at most two for each: downwards, then upwards.

    [] for a judge without such parameters, and for records of which no threshold decides (`too_short`).
    """
    return [
        change
        for name in _parameters(judge)
        for direction in (-1, 1)
        if (change := _nearest(judge, name, direction, a, b))
    ]


def _parameters(judge: Any) -> Iterator[str]:
    if is_dataclass(judge):
        kept = (field.name for field in fields(judge) if field.init)
        yield from (name for name in kept if type(getattr(judge, name)) in (int, float))


def _nearest(judge: Any, name: str, direction: int, a: Record, b: Record) -> Change | None:
    value: float = getattr(judge, name)

    def at(steps: int) -> float:
        if isinstance(value, int):
            return value + direction * steps
        return round(value + direction * steps * STEP, _DIGITS)

    def ask(steps: int) -> Relation | None:
        """The relation with this value; None if the judge does not allow it."""
        try:
            relation: Relation = replace(judge, **{name: at(steps)})(a, b).relation
        except ConfigError:
            return None
        return relation

    found = _first_change(ask)
    return Change(name, value, at(found[0]), found[1]) if found else None


def _first_change(ask: Ask) -> tuple[int, Relation] | None:
    """The fewest steps after which the relation is another one; None if it never is."""
    present, low, high = ask(0), 0, 1
    while high <= FARTHEST:
        relation = ask(high)
        if relation is None:  # the last value that is allowed may be beyond the change
            high = _last(lambda steps: ask(steps) is not None, low, high)
            relation = ask(high)
        if relation not in (None, present):
            steps = _last(lambda steps: ask(steps) == present, low, high) + 1
            changed = ask(steps)
            return (steps, changed) if changed else None
        if high <= low:
            return None
        low, high = high, 2 * high
    return None


def _last(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The largest number for which it holds, if it holds for `low`, and for `high` and beyond it does not."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low
