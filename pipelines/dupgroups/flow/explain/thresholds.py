"""Which threshold would change a verdict: each parameter of the judge is varied until the relation changes.

A relation may change several times along one parameter, but never back. So it changes somewhere if it is
another one at the farthest value that the judge allows, and halving the way finds the nearest such value.
Nothing is derived from the reason: every value is that of a judge that was built with it and asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from dupgroups.errors import ConfigError
from dupgroups.methods.verdicts import Judge
from dupgroups.model import Record, Relation

STEP = 0.0001  # of a parameter that is a share; counts go by 1
FARTHEST = 1 << 20  # steps from the present value, of which all are fewer
_DIGITS = 6

Ask = Callable[[int], Relation]


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

    def built(steps: int) -> Any:
        """The judge with this value; None if it does not allow it, or if a share were none any longer."""
        if isinstance(value, float) and 0 <= value <= 1 and not 0 <= at(steps) <= 1:
            return None
        try:
            return replace(judge, **{name: at(steps)})
        except (ConfigError, ValueError):
            return None

    farthest = _last(lambda steps: built(steps) is not None, 0, FARTHEST)
    found = _first_change(lambda steps: built(steps)(a, b).relation, farthest)
    return Change(name, value, at(found[0]), found[1]) if found else None


def _first_change(ask: Ask, farthest: int) -> tuple[int, Relation] | None:
    """The fewest steps after which the relation is another one; None if it never is."""
    present = ask(0)
    if ask(farthest) == present:
        return None
    steps = _last(lambda steps: ask(steps) == present, 0, farthest) + 1
    return steps, ask(steps)


def _last(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The largest number for which it holds, if it holds for `low`, and for `high` and beyond it does not."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low
