"""How good assessors are: on items with known answers (honeypots), and against the consensus.

| setting | value | meaning |
|---|---|---|
| honeypots | 5   | answers to honeypots before anybody is judged by them |
| right     | 0.7 | least share of these that has to be right, or no answer of the assessor counts |
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dupgroups_lab.labelling.consensus import Decision
from dupgroups_lab.labelling.model import Answer, Item, event

HONEYPOTS, RIGHT = 5, 0.7


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


def trusted(items: Mapping[str, Item], answers: Sequence[Answer]) -> frozenset[str]:
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
