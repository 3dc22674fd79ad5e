"""Hours as a clock of 24 hours counts them: "5 pm", "下午5时" and "17:00" are 17.

`day_parts.txt` has the words for afternoons, evenings and hours.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache

from dupgroups.text.number_reader import Found
from dupgroups.text.sense_lexicon import read_lines

_NOON, _HOURS = 12, 24
_LOOK_BACK_CHARS = 20
_FULL_HOUR = re.compile(r":00(?![:\d])")


def read_hours(
    folded: str, starts: Sequence[int], ends: Sequence[int], found: Sequence[Found]
) -> list[Found]:
    """The numbers of a folded text, in order, its hours as numbers to 24, a full one with the words behind it
    for a part of the day. `starts` and `ends`: where its words are.
    """
    read = list[Found]()
    for one in found:
        if not read or one.first >= read[-1].end:
            read.append(_read_hour(folded, starts, ends, one))
    return read


def _read_hour(folded: str, starts: Sequence[int], ends: Sequence[int], one: Found) -> Found:
    value, start, end = one.number.value, starts[one.first], ends[one.end - 1]
    if value not in range(_HOURS) or one.number.name:
        return one
    if full := _FULL_HOUR.match(folded, end):
        end = full.end()
    if 0 < value < _NOON:
        behind, before, hours = _patterns()
        part, left = behind.match(folded, end), folded[max(0, start - _LOOK_BACK_CHARS) : start]
        if part or (hours.match(folded, end) and before.search(left)):
            one = one._replace(number=one.number._replace(value=value + _NOON))
        if part and not part["minutes"]:
            end = part.end()
    return one._replace(end=max(one.end, bisect_left(starts, end)))


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Words for parts of the day behind an hour, at the end before it, and words for hours behind it."""
    forms: dict[str, set[str]] = {"behind": set(), "before": set(), "hours": set()}
    for heading, line in read_lines("day_parts.txt"):
        forms[heading].update(re.escape(form).replace("_", " ?") for form in line.split()[1:])
    behind, before, hours = ("|".join(sorted(some, key=len, reverse=True)) for some in forms.values())
    return (
        re.compile(rf"(?P<minutes>:\d\d)? ?(?:(?:{hours}) )?(?:{behind})(?!\w)"),
        re.compile(rf"(?:{before}) ?$"),
        re.compile(rf"(?::\d\d)? ?(?:{hours})"),
    )
