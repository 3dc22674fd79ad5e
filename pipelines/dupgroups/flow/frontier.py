"""How far a view reaches: which stored documents around a batch have to be put together anew with it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from dupgroups.flow.lookup_cache import LookupCache
from dupgroups.grouping import Corrections, Judge, Rule, View
from dupgroups.methods.verdicts.remembered import look_ahead
from dupgroups.model import Record

FELLOWS = 1_000  # stored documents that are put together anew; what is beyond them stays as it is


@dataclass(frozen=True, slots=True)
class Frontier:
    """`judge` says which groups are tied to each other."""

    cache: LookupCache
    rule: Rule
    judge: Judge
    corrections: Corrections

    def beyond(self, view: View, taken: Sequence[Record]) -> tuple[list[Record], bool]:
        """With average linkage, or near documents that people keep apart: a member of each further group that
        is tied to the view, or to such a group; of none that was `taken` before. And whether FELLOWS cut the
        search off.
        """
        tied = {record.group: record for record in taken}
        new = view.records if self._widens(view) else ()
        inside = {record.id for record in view.records}
        stored, fellows = len(view.stored), len(view.regrouped)
        while new and fellows < FELLOWS:
            more = self._tied(new, inside, {*view.sizes, *tied}, stored)
            tied |= more
            new = [record for record in self._members(more) if record.id not in inside]
            inside |= {record.id for record in new}
            stored += len(new)
            fellows += len(new)
        return [*tied.values()][len({record.group for record in taken}) :], bool(new)

    def within(self, fellows: Sequence[Record]) -> list[Record]:
        """The stored documents that are put together anew, the oldest first: of too many those that people
        keep apart, and the oldest.
        """
        kept_apart = self.corrections.kept_apart
        first = sorted(fellows, key=lambda record: (record.id not in kept_apart, record.age))[:FELLOWS]
        return sorted(first, key=lambda record: record.age)

    def _widens(self, view: View) -> bool:
        if self.rule.linkage == "average":
            return True
        return self.cache.is_constrained(view.records, (name for _, name in view.groups.values()))

    def _members(self, tied: dict[str, Record]) -> list[Record]:
        """The members of the groups that these records are in, but for those of large groups."""
        resolved = self.cache.resolve(tied.values())
        groups = self.cache.first_members({*resolved, *resolved.values()}, resolved)
        large = self.cache.large(groups, resolved)
        return [record for name, group in groups.items() if name not in large for record in group]

    def _tied(
        self, records: Sequence[Record], inside: Collection[str], known: Collection[str], stored: int
    ) -> dict[str, Record]:
        """A candidate outside whose relation to one of the records joins, for each group that has one and is
        not known, by group.
        """
        tied: dict[str, Record] = {}
        candidates = zip(records, self.cache.candidates(records, stored=stored), strict=True)
        pairs = [
            (record, other)
            for record, others in candidates
            for other in (*others, *self.cache.partners(record))
            if other.id not in inside and other.group not in known
        ]
        look_ahead(self.judge, (pair for pair in pairs if self._is_judged(*pair)))
        for record, other in pairs:
            if other.group not in tied and self._ties(record, other):
                tied[other.group] = other
        return tied

    def _ties(self, record: Record, other: Record) -> bool:
        if self.corrections.verdict(record.id, other.id):
            return True
        return self._is_judged(record, other) and self.rule.joins(self.judge(record, other))

    def _is_judged(self, record: Record, other: Record) -> bool:
        return self.rule.compares(record, other) and not self.corrections.verdict(record.id, other.id)
