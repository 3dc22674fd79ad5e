"""Read from a store, in one go, all that a plan needs to know about a batch of records."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from dupgroups.engines.base import Store
from dupgroups.flow.lookup_cache import LookupCache
from dupgroups.grouping.components import Age
from dupgroups.grouping.constraints import NO_CORRECTIONS, Corrections, exclude_listed, with_partners
from dupgroups.grouping.grouping_rule import GroupingRule
from dupgroups.grouping.heads import heads_among, pinned_first
from dupgroups.grouping.key_index import candidates_in_batch
from dupgroups.grouping.plan import Judge
from dupgroups.grouping.view import Batch, Neighbourhood, View
from dupgroups.methods.verdicts.base import look_ahead
from dupgroups.model import Record, Seen

Compared = Callable[[Record, Sequence[Record]], Sequence[Record]]
"""Those of the candidates of a record that it is compared with."""

# Stored documents that are put together anew. Of more, which overlap without end, only the oldest are, as
# not all of them can be right: what is beyond them stays as it is.
MAX_RECLUSTERED, OLDEST_SHARE = 1_000, 0.2
# Stored documents that are put together anew with one that arrives, twice as many as a group has that does
# not stay as it is, and with each further one of its batch: 7 of 14,000 real texts that came by tens.
FELLOWS_OF_ONE, FELLOWS_OF_FURTHER = 100, 2


@dataclass(frozen=True, slots=True)
class _Subject:
    """The subject of a view: records that are `arriving`; of the documents in question those that are stored
    (`known`), those of them that may leave their groups (`leaving`), and the ids of those that are about to
    be deleted (`gone`). `tied`: a record of each group that is put together anew as well, unless it is large.
    """

    arriving: Sequence[Record] = ()
    known: Sequence[Record] = ()
    leaving: Sequence[Record] = ()
    gone: frozenset[str] = frozenset()
    tied: Sequence[Record] = ()

    @property
    def fellows(self) -> int:
        """How many stored documents are put together anew: fewer where nothing leaves its group, so that the
        cost of one that arrives is bounded.
        """
        if self.leaving:
            return MAX_RECLUSTERED
        return min(MAX_RECLUSTERED, FELLOWS_OF_ONE + FELLOWS_OF_FURTHER * len(self.arriving))


class ViewBuilder:
    """Builds one view of a store. `schemes`: the signatures that can be judged; documents of others stay
    where they are. `judge` is asked where it depends on verdicts what has to be looked at. `corrections` are
    what people said of documents; without any nothing more is read for them.
    """

    def __init__(
        self,
        store: Store,
        rule: GroupingRule,
        schemes: Collection[str],
        judge: Judge,
        corrections: Corrections = NO_CORRECTIONS,
        compared: Compared = lambda record, others: others,
    ) -> None:
        self._store = store
        self._compared = compared
        self._rule = rule
        self._schemes = schemes
        self._corrections = corrections
        self._cache = LookupCache(store, rule, schemes, corrections)
        self._frontier = Frontier(self._cache, rule, judge, corrections, compared)

    def arriving(self, records: Sequence[Record], stored: Mapping[str, Record], version: object) -> View:
        """The view for records that are about to be written; `stored` is what the store has under their ids.

        The groups of documents that are signed or dated otherwise now are put together anew, and with average
        linkage, or where people keep documents apart, those that a record is tied to.
        """
        known = [stored[record.id] for record in records if record.id in stored]
        arrived = {record.id: record for record in records}
        leaving = [record for record in known if self._may_leave(record, arrived[record.id])]
        return self._widen(_Subject(records, known, leaving), version)

    def regrouping(self, records: Sequence[Record], version: object) -> View:
        """The view for putting the groups of these stored records together anew."""
        return self._widen(_Subject(known=records, leaving=records), version)

    def build_without(self, records: Sequence[Record], version: object) -> View:
        """The view for the groups of these stored records once the records are gone."""
        gone = frozenset(record.id for record in records)
        return self._widen(_Subject(known=records, leaving=records, gone=gone), version)

    def _may_leave(self, old: Record, new: Record) -> bool:
        """Whether what ties a stored document to its group may not tie its new version."""
        moved = self._rule.within_days is not None and old.day != new.day
        return moved or old.signature != new.signature

    def _widen(self, subject: _Subject, version: object) -> View:
        """The view with the groups that it turns out to depend on, until there are no more."""
        while True:
            view = self._view(subject, version)
            tied, is_cut = self._frontier.find_beyond(view, subject.tied, subject.fellows)
            half_moved = [] if subject.arriving else _half_moved(view, subject.known)
            if not tied and not half_moved:
                return replace(view, is_cut=view.is_cut or is_cut)
            known = [*subject.known, *half_moved]
            leaving = [*subject.leaving, *half_moved]
            subject = replace(subject, known=known, leaving=leaving, tied=[*subject.tied, *tied])

    def _view(self, subject: _Subject, version: object) -> View:
        known = subject.known
        resolved = self._cache.resolve([*known, *subject.tied])
        left = _labels(subject.leaving, resolved)
        first = self._cache.first_members({*resolved, *resolved.values()} - left, resolved, stored=len(known))
        members = first | self._cache.members(left)
        large = self._cache.large(members, resolved)
        opened = left | (_labels(subject.tied, resolved) - large.keys())
        present = {record.id for record in subject.arriving} | subject.gone
        fellows = self._fellows((members[label] for label in sorted(opened)), present)
        regrouped = self._frontier.find_within(fellows, subject.fellows)
        records = [*regrouped, *subject.arriving]
        ids = {record.id for record in records} | subject.gone
        candidates = self._candidates(records, ids, stored=len(known) + len(regrouped))
        outside = [other for others in candidates.values() for other in others if other.id not in ids]
        groups, headless = self._groups(outside)
        stored = {record.id: record for record in (*known, *regrouped)}
        partly = {label for label in first if len(first[label]) == self._cache.shown + len(known)}
        standing = self._head_candidates(groups.values(), members, partly, ids)
        batch = Batch(
            records=records,
            regrouped=frozenset(record.id for record in regrouped),
            stored=stored,
            former={id_: resolved.get(record.group, record.group) for id_, record in stored.items()},
        )
        nearby = Neighbourhood(
            candidates=candidates,
            groups=groups,
            left_behind=_oldest_outside([*members.items(), *headless.items()], resolved, ids),
            sizes={resolved.get(label, label): large[label] for label in large.keys() - opened},
            standing=standing,
            places={id_: group for id_, group in self._cache.places.items() if id_ not in ids},
        )
        versions = {record.id: record.version for some in standing.values() for record in some}
        versions |= {one.id: stored[one.id].version if one.id in stored else None for one in records}
        is_cut = len(regrouped) < len(fellows)
        return View(batch, nearby, self._corrections, is_cut, Seen(version, versions))

    def _fellows(self, groups: Iterable[Sequence[Record]], present: Collection[str]) -> list[Record]:
        """The members that can be judged, but for those that are in the batch already."""
        fellows = {record.id: record for members in groups for record in members if record.id not in present}
        return [record for record in fellows.values() if record.signature.scheme in self._schemes]

    def _candidates(
        self, records: Sequence[Record], ids: Collection[str], *, stored: int
    ) -> dict[str, list[Record]]:
        """Stored ones, without what is stored under the ids of the batch, then earlier ones of the batch."""
        limit = self._rule.candidates
        looked_up = self._cache.candidates(records, stored=stored)
        earlier = candidates_in_batch(records, limit=limit)
        found = {
            record.id: [*self._compared(record, [*_exclude_ids(others, ids)[:limit], *before])]
            for record, others, before in zip(records, looked_up, earlier, strict=True)
        }
        for record in records:
            found[record.id] += exclude_listed(
                _exclude_ids(self._cache.partners(record), ids), found[record.id]
            )
        return with_partners(found, records, self._corrections)

    def _groups(self, met: Sequence[Record]) -> tuple[dict[str, Age], dict[str, list[Record]]]:
        """For each label of these records the age of its group now; and the members of the groups that nobody
        names. Who names a group is most often among them, and need not be read then.
        """
        resolved = self._cache.resolve(met)
        known = {record.id: record for record in met}
        unknown = sorted(set(resolved.values()) - known.keys())
        naming = known | (self._store.get(unknown) if unknown else {})
        ages = {label: naming[name].age if name in naming else (0, name) for label, name in resolved.items()}
        return ages, self._cache.members(set(resolved.values()) - set(naming))

    def _head_candidates(
        self,
        met: Iterable[Age],
        members: Mapping[str, Sequence[Record]],
        partly: Collection[str],
        ids: Collection[str],
    ) -> dict[str, list[Record]]:
        """Of the groups whose members are known, and of those that are met where heads are elected or pinned,
        the heads outside of the batch: those that are, and the one that should be.

        `partly`: the groups of which only the oldest members are known. Heads may be any of the others then.
        """
        groups = {name for _, name in met} | members.keys()
        elects = self._rule.elects or self._cache.pins(groups, ids)
        known = {name: members[name] for name in members if not (elects and name in partly)}
        names = sorted(groups - known.keys()) if elects else []
        found = self._store.heads(names) if names else {}
        heads = {name: _exclude_ids(records, ids) for name, records in found.items()}
        # whoever took the head away died, or it is in the batch, and may not be the best one any longer
        headless = self._cache.members([name for name in names if not heads[name]])
        order = pinned_first(self._corrections.heads, self._rule.order)
        outside = {
            name: _exclude_ids(records, ids) for name, records in {**known, **heads, **headless}.items()
        }
        return {
            name: heads_among((record for record in records if record.group == name), order)
            for name, records in outside.items()
            if records
        }


def _half_moved(view: View, known: Sequence[Record]) -> list[Record]:
    """Candidates whose group was merged away, but whose own label does not say so yet, without those that are
    known: whoever wanted to merge their group may have died before it had a reason to.
    """
    ids = {record.id for record in known}
    groups = view.nearby.groups
    candidates = {other.id: other for others in view.nearby.candidates.values() for other in others}
    return [
        other
        for other in candidates.values()
        if other.id not in ids and groups.get(other.group, (0, other.group))[1] != other.group
    ]


def _exclude_ids(records: Iterable[Record], ids: Collection[str]) -> list[Record]:
    """Those that have none of these ids."""
    return [record for record in records if record.id not in ids]


def _labels(records: Iterable[Record], resolved: Mapping[str, str]) -> set[str]:
    """The groups that these records are in, under the former names as well."""
    return {label for record in records for label in (record.group, resolved[record.group])}


def _oldest_outside(
    members: Iterable[tuple[str, Sequence[Record]]], resolved: Mapping[str, str], ids: Collection[str]
) -> dict[str, Age]:
    """For each group that has members beside `ids` the age of the oldest of them."""
    oldest: dict[str, Age] = {}
    for label, records in members:
        ages = [record.age for record in records if record.id not in ids]
        name = resolved.get(label, label)
        if ages:
            oldest[name] = min(ages[0], oldest.get(name, ages[0]))
    return oldest


@dataclass(frozen=True, slots=True)
class Frontier:
    """How far a view reaches: which stored documents around a batch have to be put together anew with it.

    `judge` says which groups are tied to each other.
    """

    cache: LookupCache
    rule: GroupingRule
    judge: Judge
    corrections: Corrections
    compared: Compared

    def find_beyond(self, view: View, taken: Sequence[Record], most: int) -> tuple[list[Record], bool]:
        """With average linkage, or near documents that people keep apart: a member of each further group that
        is tied to the view, or to such a group; of none that was `taken` before. And whether the search was
        cut off, as `most` stored documents were found.
        """
        tied = {record.group: record for record in taken}
        new = view.batch.records if not view.is_cut and self._widens(view) else ()
        inside = {record.id for record in view.batch.records}
        stored, fellows = len(view.batch.stored), len(view.batch.regrouped)
        while new and fellows < most:
            more = self._find_tied(new, inside, {*view.nearby.sizes, *tied}, stored)
            tied |= more
            new = [record for record in self._members(more) if record.id not in inside]
            inside |= {record.id for record in new}
            stored += len(new)
            fellows += len(new)
        return [*tied.values()][len({record.group for record in taken}) :], bool(new)

    def find_within(self, fellows: Sequence[Record], most: int) -> list[Record]:
        """The stored documents that are put together anew, the oldest first: of more than `most` a share of
        so many, those that people keep apart before the oldest.
        """
        kept_apart = self.corrections.kept_apart
        if len(fellows) > most:
            most = int(most * OLDEST_SHARE)
        first = sorted(fellows, key=lambda record: (record.id not in kept_apart, record.age))[:most]
        return sorted(first, key=lambda record: record.age)

    def _widens(self, view: View) -> bool:
        if self.rule.linkage == "average":
            return True
        met = (name for _, name in view.nearby.groups.values())
        return self.cache.is_constrained(view.batch.records, met)

    def _members(self, tied: dict[str, Record]) -> list[Record]:
        """The members of the groups that these records are in, but for those of large groups."""
        resolved = self.cache.resolve(tied.values())
        groups = self.cache.first_members({*resolved, *resolved.values()}, resolved)
        large = self.cache.large(groups, resolved)
        return [record for name, group in groups.items() if name not in large for record in group]

    def _find_tied(
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
            for other in (*self.compared(record, others), *self.cache.partners(record))
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
