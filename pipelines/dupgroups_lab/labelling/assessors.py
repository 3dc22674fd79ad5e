"""How good assessors are: on items with known answers (honeypots), and against the consensus.

| setting | value | meaning |
|---|---|---|
| honeypots | 5   | answers to honeypots before anybody is judged by them |
| right     | 0.7 | least share of these that has to be right, or no answer of the assessor counts |
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from dupgroups_lab.labelling.consensus import Decision
from dupgroups_lab.labelling.model import Answer, Item, event

HONEYPOTS, RIGHT = 5, 0.7
_HOUR, _PAUSE = 3_600_000_000, 300_000_000  # microseconds; a longer gap is a break, not an item
_PACE = 50  # gaps that the pace is taken from


@dataclass(frozen=True, slots=True)
class Quality:
    """The work of an assessor.

    `known` honeypots were answered, `right` of them correctly; of `decided` items, `agreed` were decided as
    this assessor answered. `hourly` is the pace in items an hour, None with fewer than two answers.
    """

    answers: int
    known: int
    right: int
    decided: int
    agreed: int
    hourly: int | None

    @property
    def trusted(self) -> bool:
        """False if too many honeypots were answered wrongly."""
        return self.known < HONEYPOTS or self.right >= RIGHT * self.known


def qualities(
    items: Mapping[str, Item], answers: Sequence[Answer], decisions: Mapping[str, Decision]
) -> dict[str, Quality]:
    """The quality of every assessor, sorted by name; `answers` in the order they were given."""
    by_name: defaultdict[str, list[Answer]] = defaultdict(list)
    for answer in answers:
        by_name[answer.assessor].append(answer)
    return {name: _quality(items, by_name[name], decisions) for name in sorted(by_name)}


def trusted(items: Mapping[str, Item], answers: Sequence[Answer]) -> frozenset[str]:
    """The assessors whose answers count."""
    return frozenset(name for name, quality in qualities(items, answers, {}).items() if quality.trusted)


def pace(times: Iterable[int]) -> int | None:
    """Items an hour, from the median of the last gaps; breaks are left out. None without a gap.

    >>> pace([0, 6_000_000, 12_000_000, 900_000_000_000])
    600
    """
    gaps = [later - earlier for earlier, later in pairwise(times) if 0 < later - earlier < _PAUSE]
    return round(_HOUR / median(gaps[-_PACE:])) if gaps else None


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
        hourly=pace(answer.at for answer in answers),
    )
