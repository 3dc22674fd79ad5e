"""From the answers to an item to its label: the answer of more than half of the assessors.

Of a pair, the assessors first have to agree whether it is the same event; then more than half of those who
say so have to agree which of the two tells more. An item with enough answers and no such majority is
disputed, and stays without a label.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from dupgroups_lab.labelling.model import State, event


@dataclass(frozen=True, slots=True)
class Decision:
    """`answer` is "" unless the state is `decided`."""

    state: State
    answer: str = ""


OPEN, DISPUTED = Decision("open"), Decision("disputed")


def majority(answers: Sequence[str]) -> str | None:
    """The answer that more than half of them are; None for a tie and for no answers.

    >>> majority(["yes", "no", "yes"]), majority(["yes", "no"])
    ('yes', None)
    """
    answer, count = next(iter(Counter(answers).most_common(1)), (None, 0))
    return answer if 2 * count > len(answers) else None


@lru_cache(maxsize=1 << 12)  # thousands of items have the same few answers
def consensus(answers: tuple[str, ...], wanted: int) -> Decision:
    """`open` with fewer than `wanted` (>= 1) answers, `disputed` without a majority, else `decided`."""
    if len(answers) < wanted:
        return OPEN
    agreed = majority([event(answer) for answer in answers])
    answer = majority([answer for answer in answers if event(answer) == agreed])
    return Decision("decided", answer) if agreed and answer else DISPUTED
