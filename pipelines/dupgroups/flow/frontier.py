"""How far a view reaches: the stored documents around a batch that are put together anew with it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from dupgroups.flow.lookup_cache import LookupCache
from dupgroups.grouping.view import View
from dupgroups.methods.verdicts.base import RememberedJudge
from dupgroups.model import Record

Compared = Callable[[Record, Sequence[Record]], Sequence[Record]]
"""Those of the candidates of a record that it is compared with."""

# Stored documents that are put together anew. Of more, which overlap without end, only the oldest are, as
# not all of them can be right: what is beyond them stays as it is.
MAX_REGROUPED, OLDEST_SHARE = 1_000, 0.2
# Those with one document that arrives, twice as many as a group has that does not stay as it is, and with
# each further one of its batch: 7 of 14,000 real texts that came by tens.
REGROUPED_OF_ONE, REGROUPED_OF_FURTHER = 100, 2


@dataclass(frozen=True, slots=True)
class Frontier:
    """Which stored documents around a batch are put together anew; `judge` says which groups are tied."""

    cache: LookupCache
    judge: RememberedJudge
    compared: Compared

    def find_beyond(self, view: View, taken: Sequence[Record], most: int) -> tuple[list[Record], bool]:
        """With average linkage, or near documents that people keep apart: a member of each further group that
        is tied to the view, or to such a group; of none that was `taken` before. And whether the search was
        cut off, as `most` stored documents were found.
        """
        tied = {record.group: record for record in taken}
        new = view.batch.records if not view.is_cut and self._widens(view) else ()
        compared = view.nearby.candidates  # all that the plan may tie to a record
        found: Iterable[tuple[Record, Sequence[Record]]] = ((one, compared.get(one.id, ())) for one in new)
        inside = {record.id for record in view.batch.records}
        stored, regrouped = len(view.batch.stored), len(view.batch.regrouped)
        while new and regrouped < most:
            pairs = ((record, other) for record, others in found for other in others)
            more = self._find_tied(pairs, inside, {*view.nearby.sizes, *tied})
            tied |= more
            new = [record for record in self._members(more.values()) if record.id not in inside]
            inside |= {record.id for record in new}
            stored += len(new)
            regrouped += len(new)
            found = self._look_up(new, stored)
        return [*tied.values()][len({record.group for record in taken}) :], bool(new)

    def find_within(self, members: Sequence[Record], most: int) -> list[Record]:
        """The stored documents that are put together anew, the oldest first: of more than `most` a share of
        so many, those that people keep apart before the oldest.
        """
        kept_apart = self.cache.corrections.kept_apart
        if len(members) > most:
            most = int(most * OLDEST_SHARE)
        first = sorted(members, key=lambda record: (record.id not in kept_apart, record.age))[:most]
        return sorted(first, key=lambda record: record.age)

    def _widens(self, view: View) -> bool:
        if self.cache.rule.linkage == "average":
            return True
        met = (name for _, name in view.nearby.groups.values())
        return self.cache.is_constrained(view.batch.records, met)

    def _members(self, tied: Iterable[Record]) -> list[Record]:
        """The members of the groups that these records are in, but for those of large groups."""
        groups = self.cache.look_up(tied)
        small = (members for label, members in groups.members.items() if label not in groups.large)
        return [record for members in small for record in members]

    def _look_up(self, records: Sequence[Record], stored: int) -> Iterator[tuple[Record, Sequence[Record]]]:
        """The records, each with those that it is compared with; looked up when they are asked for."""
        for record, others in zip(records, self.cache.candidates(records, stored=stored), strict=True):
            yield record, (*self.compared(record, others), *self.cache.partners(record))

    def _find_tied(
        self, pairs: Iterable[tuple[Record, Record]], inside: Collection[str], known: Collection[str]
    ) -> dict[str, Record]:
        """Of each group that is not known, a candidate outside whose relation to a record joins, by group."""
        tied: dict[str, Record] = {}
        pairs = [pair for pair in pairs if pair[1].id not in inside and pair[1].group not in known]
        self.judge.look_ahead(pair for pair in pairs if self._is_judged(*pair))
        for record, other in pairs:
            if other.group not in tied and self._ties(record, other):
                tied[other.group] = other
        return tied

    def _ties(self, record: Record, other: Record) -> bool:
        if self.cache.corrections.verdict(record, other):
            return True
        return self._is_judged(record, other) and self.cache.rule.joins(self.judge(record, other))

    def _is_judged(self, record: Record, other: Record) -> bool:
        near = self.cache.rule.is_near_in_time(record, other)
        return near and not self.cache.corrections.verdict(record, other)
