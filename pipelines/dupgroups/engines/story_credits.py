"""Which agencies the copies of a story credit, and of how many independent sources it is by them: the number
that docs/how-to/sources.md explains, kept with the story while copies come.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from dupgroups.grouping.components import Components
from dupgroups.model import Tie

if TYPE_CHECKING:
    from dupgroups.text.agencies import Credit

MAX_SOURCED_COPIES = 200  # copies of a story whose texts are read, the oldest
MIN_SAME_WORDS_SCORE = 0.8  # of a tie: two agencies are credited for the same words
FindAgencies = Callable[[Collection[str]], Mapping[str, tuple[str, ...]]]


def find_agencies(text: str, author: str = "", source: str = "") -> tuple[str, ...]:
    """The agencies that a document credits in its words, or as its `source`; () if it credits none."""
    from dupgroups.text.agencies import find_credit  # compiling its patterns takes .15 s

    return agencies_of(find_credit(text, author, source=source))


def agencies_of(credit: Credit | None) -> tuple[str, ...]:
    """The agencies that a credit names, the first one first: together they are one source."""
    from dupgroups.text.known_publishers import AGENCIES, ANY_NAME, mark_names, show_names

    if credit is None or not credit.is_agency:
        return ()
    named = (AGENCIES.get(show_names(mark)) for mark in ANY_NAME.findall(mark_names(credit.words)))
    return tuple(dict.fromkeys([credit.name, *filter(None, named)]))


class CreditedCopy(NamedTuple):
    """A copy, and the agencies that it credits, of which the first one counts."""

    id: str
    agencies: tuple[str, ...]
    ties: Sequence[Tie]


@dataclass(frozen=True, slots=True)
class StoryCredits:
    """How many copies credit each agency (`counts`), and pairs, sorted, credited for the `same` words."""

    counts: Mapping[str, int] = field(default_factory=dict)
    same: frozenset[tuple[str, str]] = frozenset()

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> StoryCredits:
        """The credits that `to_json` wrote; none for {}."""
        return cls(value.get("counts", {}), frozenset((a, b) for a, b in value.get("same", ())))

    def to_json(self) -> dict[str, Any]:
        """As it is stored; {} without credits."""
        same = {"same": sorted(self.same)} if self.same else {}
        return {"counts": dict(self.counts), **same} if self.counts else {}

    @property
    def agencies(self) -> tuple[str, ...]:
        """The agencies, that of most copies first."""
        return tuple(sorted(self.counts, key=lambda name: (-self.counts[name], name)))

    @property
    def sources(self) -> int:
        """Of how many sources the story is; 1 where no agency is credited."""
        components = Components({name: (0, name) for name in chain(self.counts, *self.same)})
        for first, other in self.same:
            components.join(first, other)
        return max(1, len(components.roots(self.counts)))

    def with_copies(
        self, copies: Collection[CreditedCopy], find_agencies: FindAgencies = lambda ids: {}
    ) -> StoryCredits:
        """The credits with those of more copies. `find_agencies` reads which agencies stored copies credit,
        of these ids; it is asked where several are credited, for earlier ones that the new ones are tied to.
        """
        counts = Counter(self.counts) + Counter(copy.agencies[0] for copy in copies if copy.agencies)
        same = {_in_order(pair) for copy in copies for pair in pairwise(copy.agencies)}
        same |= self._find_same(copies, find_agencies) if len(counts) > 1 else set()
        return StoryCredits(dict(counts), self.same | same)

    def _find_same(
        self, copies: Collection[CreditedCopy], find_agencies: FindAgencies
    ) -> set[tuple[str, str]]:
        agencies = {copy.id: copy.agencies for copy in copies}
        ties = ((copy.agencies[0], tie) for copy in copies if copy.agencies for tie in copy.ties)
        close = [(agency, tie.other) for agency, tie in ties if tie.score >= MIN_SAME_WORDS_SCORE]
        unread = {other for _, other in close} - agencies.keys()
        agencies |= find_agencies(unread) if unread and self.counts else {}
        pairs = ((agency, other) for agency, id_ in close for other in agencies.get(id_, ())[:1])
        return {_in_order(pair) for pair in pairs if pair[0] != pair[1]}


def _in_order(pair: tuple[str, str]) -> tuple[str, str]:
    return min(pair), max(pair)
