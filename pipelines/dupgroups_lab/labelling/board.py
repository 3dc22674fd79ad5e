"""Everything that is known about the items at one moment, and what follows from it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from dupgroups_lab.labelling.consensus import Decision, consensus, trusted_assessors
from dupgroups_lab.labelling.model import Answer, Item, Phase, Rules


@dataclass(frozen=True)
class Board:
    """Items by key, and all answers in the order they were given."""

    items: Mapping[str, Item]
    answers: Sequence[Answer]
    rules: Rules

    @cached_property
    def votes(self) -> Mapping[str, Mapping[str, str]]:
        """By item: the answer of every assessor whose answers count."""
        counted = trusted_assessors(self.items, self.answers)
        votes: defaultdict[str, dict[str, str]] = defaultdict(dict)
        for answer in self.answers:
            if answer.assessor in counted:
                votes[answer.item][answer.assessor] = answer.answer
        return votes

    @cached_property
    def decisions(self) -> Mapping[str, Decision]:
        """The consensus on every item that is not a honeypot."""
        return {
            key: consensus(tuple(self.votes.get(key, {}).values()), self.rules.wanted)
            for key, item in self.items.items()
            if not item.known
        }

    @cached_property
    def news(self) -> frozenset[str]:
        """The documents that are news by consensus; all of them if nobody is asked (`Plan.only_pairs`)."""
        asked = {key: item.a for key, item in self.items.items() if item.phase == "news" and not item.known}
        if not asked:
            return frozenset(document for item in self.items.values() for document in item.documents)
        return frozenset(document for key, document in asked.items() if self.decisions[key].answer == "yes")

    @cached_property
    def answered(self) -> Mapping[str, frozenset[str]]:
        """By assessor: the keys of the items that this assessor has answered."""
        keys: defaultdict[str, set[str]] = defaultdict(set)
        for answer in self.answers:
            keys[answer.assessor].add(answer.item)
        return {assessor: frozenset(items) for assessor, items in keys.items()}

    def of(self, phase: Phase) -> dict[str, Decision]:
        """The decisions of a phase."""
        return {key: decision for key, decision in self.decisions.items() if self.items[key].phase == phase}
