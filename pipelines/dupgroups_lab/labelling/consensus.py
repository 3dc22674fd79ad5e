"""From the answers to an item to its label: the answer of more than half of the assessors.

Of a pair, the assessors first have to agree whether it is the same event; then more than half of those who
say so have to agree which of the two tells more. An item with enough answers and no such majority is
disputed, and stays without a label.

Assessors are measured on items with known answers (honeypots), and against the consensus.

| setting | value | meaning |
|---|---|---|
| honeypots | 5   | answers to honeypots before anybody is judged by them |
| right     | 0.7 | least share of these that has to be right, or no answer of the assessor counts |
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from dupgroups_lab.labelling.model import Answer, Item, State, event

HONEYPOTS, RIGHT = 5, 0.7


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


@dataclass(frozen=True, slots=True)
class Quality:
    """The work of an assessor.

    `known` honeypots were answered, `right` of them correctly; of `decided` items, `agreed` were decided as
    this assessor answered.
    """

    answers: int
    known: int
    right: int
    decided: int
    agreed: int

    @property
    def trusted(self) -> bool:
        """False if too many honeypots were answered wrongly."""
        return self.known < HONEYPOTS or self.right >= RIGHT * self.known


def qualities(
    items: Mapping[str, Item], answers: Sequence[Answer], decisions: Mapping[str, Decision]
) -> dict[str, Quality]:
    """The quality of every assessor, sorted by name."""
    by_name: defaultdict[str, list[Answer]] = defaultdict(list)
    for answer in answers:
        by_name[answer.assessor].append(answer)
    return {name: _quality(items, by_name[name], decisions) for name in sorted(by_name)}


def trusted_assessors(items: Mapping[str, Item], answers: Sequence[Answer]) -> frozenset[str]:
    """The assessors whose answers count."""
    return frozenset(name for name, quality in qualities(items, answers, {}).items() if quality.trusted)


def _quality(
    items: Mapping[str, Item], answers: Sequence[Answer], decisions: Mapping[str, Decision]
) -> Quality:
    known = [answer for answer in answers if items[answer.item].known]
    decided = [
        answer for answer in answers if answer.item in decisions and decisions[answer.item].state == "decided"
    ]
    return Quality(
        answers=len(answers),
        known=len(known),
        right=sum(event(answer.answer) == items[answer.item].known for answer in known),
        decided=len(decided),
        agreed=sum(event(answer.answer) == event(decisions[answer.item].answer) for answer in decided),
    )
