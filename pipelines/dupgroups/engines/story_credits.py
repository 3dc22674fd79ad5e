"""Which agencies the copies of a story credit, and of how many independent sources it is by them: the number
that docs/how-to/sources.md explains, kept with the story while copies come.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from dupgroups.grouping.components import Components
from dupgroups.model import Tie

MAX_SOURCED_COPIES = 200  # copies of a story whose texts are read, the oldest
MIN_SAME_WORDS_SCORE = 0.8  # of a tie: two agencies are credited for the same words


def find_agency(text: str, author: str = "", source: str = "") -> str:
    """The agency that a document credits in its words, or as its `source`; "" if it credits none."""
    from dupgroups.text.agencies import find_credit  # compiling its patterns takes .15 s

    credit = find_credit(text, author, source=source)
    return credit.name if credit and credit.is_agency else ""


class CreditedCopy(NamedTuple):
    """A copy, and the agency that it credits; "" if it credits none."""

    id: str
    agency: str
    ties: Sequence[Tie]


@dataclass(frozen=True, slots=True)
class StoryCredits:
    """`counts`: how many copies credit each agency. `same`: pairs of agencies, sorted, that are credited for
    the same words.
    """

    counts: Mapping[str, int] = field(default_factory=dict)
    same: frozenset[tuple[str, str]] = frozenset()

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> StoryCredits:
        """The credits that `to_json` wrote; none for {}."""
        return cls(value.get("counts", {}), frozenset((one, other) for one, other in value.get("same", ())))

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
        components = Components({name: (0, name) for name in self.counts})
        for one, other in self.same:
            components.join(one, other)
        return max(1, len(components.roots(self.counts)))

    def with_copies(
        self,
        copies: Collection[CreditedCopy],
        find_agencies: Callable[[Collection[str]], Mapping[str, str]] = lambda ids: {},
    ) -> StoryCredits:
        """The credits with those of more copies. `find_agencies` reads which agencies stored copies credit,
        of these ids; it is asked where several are credited, for earlier ones that the new ones are tied to.
        """
        counts = Counter(self.counts) + Counter(copy.agency for copy in copies if copy.agency)
        same = self._find_same(copies, find_agencies) if len(counts) > 1 else frozenset()
        return StoryCredits(dict(counts), self.same | same)

    def _find_same(
        self,
        copies: Collection[CreditedCopy],
        find_agencies: Callable[[Collection[str]], Mapping[str, str]],
    ) -> frozenset[tuple[str, str]]:
        agencies = {copy.id: copy.agency for copy in copies}
        close = [
            (copy.agency, tie.other)
            for copy in copies
            if copy.agency
            for tie in copy.ties
            if tie.score >= MIN_SAME_WORDS_SCORE
        ]
        unread = {other for _, other in close} - agencies.keys()
        agencies |= find_agencies(unread) if unread and self.counts else {}
        pairs = ((agency, agencies.get(other, "")) for agency, other in close)
        return frozenset((min(pair), max(pair)) for pair in pairs if all(pair) and pair[0] != pair[1])
