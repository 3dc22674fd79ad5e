"""Everything that is known about the items at one moment, and which an assessor gets next.

* Pairs of two documents that are news by consensus come into the second phase, others do not.
* An assessor answers an item once, and never a pair with a document that the same assessor judged in the
  first phase, nor the reverse (unless one person does all, `Rules.alone`).
* An item that others have begun comes first, so that it is decided soon; else the order of keys, which is
  random.
* Now and then the next item is a honeypot. Nothing tells it from the others.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

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

    # -- who gets what

    def next_item(self, assessor: str, phase: Phase, skip: Collection[str] = ()) -> Item | None:
        """The next item of a phase for an assessor; None if there is nothing to do (honeypots alone are
        nothing). `skip` are items that are shown already and not answered yet.
        """
        due = list(self._due(assessor, phase, skip))
        ordinary = [item for item in due if not item.known]
        if not ordinary:
            return None
        honeypots = [item for item in due if item.known]
        count = len({*self.answered.get(assessor, ()), *skip})
        chance = Random(repr((self.rules.seed, assessor, phase, count))).random()  # noqa: S311
        if honeypots and chance < self.rules.honeypots:
            return min(honeypots, key=lambda item: item.key)
        return min(ordinary, key=lambda item: (-len(self.votes.get(item.key, ())), item.key))

    def waiting(self, assessor: str, phase: Phase) -> int:
        """How many items of a phase the assessor can answer now, without honeypots."""
        return sum(not item.known for item in self._due(assessor, phase, ()))

    def may_answer(self, assessor: str, item: Item) -> bool:
        """Whether the rules let this assessor answer this item, even if others have just decided it."""
        is_new = item.key not in self.answered.get(assessor, ())
        seen = self._seen_in_other_phase(assessor, item.phase)
        return is_new and seen.isdisjoint(item.documents) and self._is_ready(item)

    def _due(self, assessor: str, phase: Phase, skip: Collection[str]) -> Iterator[Item]:
        done = {*self.answered.get(assessor, ()), *skip}
        seen = self._seen_in_other_phase(assessor, phase)
        for item in self.items.values():
            is_new = item.phase == phase and item.key not in done and seen.isdisjoint(item.documents)
            if is_new and self._is_ready(item) and (item.known or self.decisions[item.key].state == "open"):
                yield item

    def _is_ready(self, item: Item) -> bool:
        return bool(item.known) or item.phase == "news" or self.news.issuperset(item.documents)

    def _seen_in_other_phase(self, assessor: str, phase: Phase) -> frozenset[str]:
        if self.rules.alone:
            return frozenset()
        items = (self.items[key] for key in self.answered.get(assessor, ()))
        return frozenset(document for item in items if item.phase != phase for document in item.documents)
