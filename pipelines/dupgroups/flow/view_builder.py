"""Read from a store, in one go, all that a plan needs to know about a batch of records."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from dupgroups.engines.base import Store
from dupgroups.flow import frontier
from dupgroups.flow.frontier import Compared, Frontier
from dupgroups.flow.lookup_cache import KnownGroups, LookupCache
from dupgroups.grouping.components import Age
from dupgroups.grouping.constraints import NO_CORRECTIONS, Corrections, exclude_listed, with_partners
from dupgroups.grouping.grouping_rule import GroupingRule
from dupgroups.grouping.heads import heads_among, pinned_first
from dupgroups.grouping.key_index import candidates_in_batch
from dupgroups.grouping.view import Batch, Neighbourhood, View
from dupgroups.methods.verdicts.base import RememberedJudge
from dupgroups.model import Record, Seen, Signature


@dataclass(frozen=True, slots=True)
class _Subject:
    """The subject of a view: records that are `arriving`; of the documents in question those that are stored
    (`known`), those of them that may leave their groups (`leaving`), and the ids of those that are about to
    be deleted (`gone`). `tied`: a record of each group that is put together anew as well, unless it is large.
    `looks_ahead`: whether what came later is asked what it is compared with.
    """

    arriving: Sequence[Record] = ()
    known: Sequence[Record] = ()
    leaving: Sequence[Record] = ()
    gone: frozenset[str] = frozenset()
    tied: Sequence[Record] = ()
    looks_ahead: bool = True

    @property
    def max_regrouped(self) -> int:
        """How many stored documents are put together anew at most: fewer where nothing leaves its group, so
        that the cost of one that arrives is bounded.
        """
        if self.leaving:
            return frontier.MAX_REGROUPED
        most = frontier.REGROUPED_OF_ONE + frontier.REGROUPED_OF_FURTHER * len(self.arriving)
        return min(frontier.MAX_REGROUPED, most)


class ViewBuilder:
    """Builds one view of a store. `schemes`: the signatures that can be judged; documents of others stay
    where they are. `judge` is asked where it depends on verdicts what has to be looked at. `corrections` are
    what people said of documents; without any nothing more is read for them. `unframed`: see LookupCache.
    """

    def __init__(
        self,
        store: Store,
        rule: GroupingRule,
        schemes: Collection[str],
        judge: RememberedJudge,
        corrections: Corrections = NO_CORRECTIONS,
        compared: Compared = lambda record, others: others,
        unframed: Mapping[str, Signature] | None = None,
    ) -> None:
        self._store = store
        self._compared = compared
        self._unframed = unframed or {}
        self._cache = LookupCache(store, rule, schemes, corrections, self._unframed)
        self._frontier = Frontier(self._cache, judge, compared)

    def view_arrivals(self, records: Sequence[Record], stored: Mapping[str, Record], version: object) -> View:
        """The view for records that are about to be written; `stored` is what the store has under their ids.

        The groups of documents that are signed or dated otherwise now are put together anew, and with average
        linkage, or where people keep documents apart, those that a record is tied to.
        """
        known = [stored[record.id] for record in records if record.id in stored]
        arrived = {record.id: record for record in records}
        leaving = [record for record in known if self._may_leave(record, arrived[record.id])]
        return self._widen(_Subject(records, known, leaving), version)

    def view_stored(self, records: Sequence[Record], version: object) -> View:
        """The view for putting the groups of these stored records together anew."""
        return self._widen(_Subject(known=records, leaving=records), version)

    def view_taught(self, records: Sequence[Record], version: object) -> View:
        """Likewise, where they taught a frame. What came later is not asked what it is compared with, which
        would treble the candidates of a store of press releases: 18 a document, not 6.
        """
        return self._widen(_Subject(known=records, leaving=records, looks_ahead=False), version)

    def view_without(self, records: Sequence[Record], version: object) -> View:
        """The view for the groups of these stored records once the records are gone."""
        gone = frozenset(record.id for record in records)
        return self._widen(_Subject(known=records, leaving=records, gone=gone), version)

    def _may_leave(self, old: Record, new: Record) -> bool:
        """Whether what ties a stored document to its group may not tie its new version."""
        moved = self._cache.rule.within_days is not None and old.day != new.day
        return moved or (old.signature, old.fingerprint) != (new.signature, new.fingerprint)

    def _widen(self, subject: _Subject, version: object) -> View:
        """The view with the groups that it turns out to depend on, until there are no more."""
        while True:
            view = self._view(subject, version)
            tied, is_cut = self._frontier.find_beyond(view, subject.tied, subject.max_regrouped)
            half_moved = [] if subject.arriving else _half_moved(view, subject.known)
            if not tied and not half_moved:
                return replace(view, is_cut=view.is_cut or is_cut)
            known = [*subject.known, *half_moved]
            leaving = [*subject.leaving, *half_moved]
            subject = replace(subject, known=known, leaving=leaving, tied=[*subject.tied, *tied])

    def _view(self, subject: _Subject, version: object) -> View:
        known = subject.known
        groups = self._cache.look_up([*known, *subject.tied], subject.leaving, stored=len(known))
        opened = groups.labels(subject.leaving) | (groups.labels(subject.tied) - groups.large.keys())
        present = {record.id for record in subject.arriving} | subject.gone
        members = self._cache.judgeable(groups.members[label] for label in sorted(opened))
        movable = [record for record in members if record.id not in present]
        regrouped = self._frontier.find_within(movable, subject.max_regrouped)
        batch = _batch(subject, regrouped, groups)
        nearby = self._nearby(batch, subject, groups, opened)
        is_cut = len(regrouped) < len(movable)
        return View(batch, nearby, self._cache.corrections, is_cut, Seen(version, _versions(batch, nearby)))

    def _nearby(
        self, batch: Batch, subject: _Subject, groups: KnownGroups, opened: Collection[str]
    ) -> Neighbourhood:
        ids = {record.id for record in batch.records} | subject.gone
        kept_apart = self._cache.groups_of_kept_apart.items()
        candidates = self._candidates(batch, ids, looks_ahead=subject.looks_ahead)
        outside = [other for others in candidates.values() for other in others if other.id not in ids]
        ages, headless = self._name_groups(outside)
        return Neighbourhood(
            candidates=candidates,
            groups=ages,
            oldest_outside=_oldest_outside([*groups.members.items(), *headless.items()], groups, ids),
            sizes={groups.name(label): groups.large[label] for label in groups.large.keys() - opened},
            head_candidates=self._head_candidates(ages.values(), groups, ids),
            groups_of_kept_apart={id_: group for id_, group in kept_apart if id_ not in ids},
        )

    def _candidates(
        self, batch: Batch, ids: Collection[str], *, looks_ahead: bool
    ) -> dict[str, list[Record]]:
        """Stored ones, without what is stored under the ids of the batch, then earlier ones of the batch.
        `looks_ahead`: see _Subject.
        """
        records, limit = batch.records, self._cache.rule.candidates
        looked_up = self._cache.candidates(records, stored=len(batch.stored))
        earlier = candidates_in_batch(records, limit=limit, unframed=self._unframed)
        near: dict[str, list[Record]] = {}
        for record, others, before in zip(records, looked_up, earlier, strict=True):
            some = near[record.id] = [*_exclude_ids(others, ids)[:limit], *before]
            some += exclude_listed(_exclude_ids(self._cache.kept_apart_near(record), ids), some)
        most = self._cache.rule.max_partners
        crowded = [one for one in records if looks_ahead and len(near[one.id]) > most]
        later = {
            record.id: {one.id: one for one in near[record.id] if one.id not in ids and one.age > record.age}
            for record in crowded
        }
        comparing = self._find_comparing(records, later, ids)
        for record in records:
            some, after = near[record.id], later.get(record.id, {}).values()
            compared = near[record.id] = [*self._compared(record, exclude_listed(some, after))]
            compared += [one for one in after if record.id in comparing[one.id]]
            compared += exclude_listed(_exclude_ids(self._cache.partners(record), ids), compared)
        return with_partners(near, records, self._cache.corrections)

    def _find_comparing(
        self, records: Sequence[Record], later: Mapping[str, Mapping[str, Record]], ids: Collection[str]
    ) -> dict[str, set[str]]:
        """With what the documents are compared that came later than a record of the batch, by whose id they
        are given: the ids, by theirs. As if they came one by one, these are the nearest of those before each.
        """
        own, comparing = {record.id: record for record in records}, {}
        asked = [*{id_: one for some in later.values() for id_, one in some.items()}.values()]
        for one, others in zip(asked, self._cache.candidates(asked, stored=len(records)), strict=True):
            met = {id_: own[id_] for id_, some in later.items() if one.id in some}
            met |= {other.id: other for other in _exclude_ids(others, ids)}
            met |= {other.id: own[other.id] for other in others if other.id in own}
            before = [other for other in met.values() if other.age < one.age]
            comparing[one.id] = {other.id for other in self._compared(one, before)}
        return comparing

    def _name_groups(self, met: Sequence[Record]) -> tuple[dict[str, Age], dict[str, list[Record]]]:
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
        self, met: Iterable[Age], looked_up: KnownGroups, ids: Collection[str]
    ) -> dict[str, list[Record]]:
        """Of the groups whose members are known, and of those that are met where heads are elected or pinned,
        the heads outside of the batch: those that are, and the one that should be. Of groups of which only
        the oldest members are known any other one may be the head.
        """
        members = looked_up.members
        groups = {name for _, name in met} | members.keys()
        elects = self._cache.rule.elects or self._cache.pins(groups, ids)
        known = {name: members[name] for name in members if not (elects and name in looked_up.partly)}
        names = sorted(groups - known.keys()) if elects else []
        found = self._store.heads(names) if names else {}
        heads = {name: _exclude_ids(records, ids) for name, records in found.items()}
        # whoever took the head away died, or it is in the batch, and may not be the best one any longer
        headless = self._cache.members([name for name in names if not heads[name]])
        order = pinned_first(self._cache.corrections.heads, self._cache.rule.order)
        of_groups = {**known, **heads, **headless}.items()
        outside = ((name, _exclude_ids(records, ids)) for name, records in of_groups)
        return {
            name: heads_among((record for record in records if record.group == name), order)
            for name, records in outside
            if records
        }


def _batch(subject: _Subject, regrouped: Sequence[Record], groups: KnownGroups) -> Batch:
    stored = {record.id: record for record in (*subject.known, *regrouped)}
    known = [*regrouped, *(record for record in subject.arriving if record.id in stored)]
    return Batch(
        records=[
            *sorted(known, key=lambda record: record.age),
            *(record for record in subject.arriving if record.id not in stored),
        ],
        regrouped=frozenset(record.id for record in regrouped),
        stored=stored,
        former={id_: groups.name(record.group) for id_, record in stored.items()},
    )


def _versions(batch: Batch, nearby: Neighbourhood) -> dict[str, object]:
    """The versions of the batch and of the heads around it that were read; None for what is new."""
    heads = {record.id: record.version for some in nearby.head_candidates.values() for record in some}
    return heads | {
        record.id: batch.stored[record.id].version if record.id in batch.stored else None
        for record in batch.records
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
    return [record for record in records if record.id not in ids]


def _oldest_outside(
    members: Iterable[tuple[str, Sequence[Record]]], groups: KnownGroups, ids: Collection[str]
) -> dict[str, Age]:
    """For each group that has members beside `ids` the age of the oldest of them."""
    oldest: dict[str, Age] = {}
    for label, records in members:
        ages = [record.age for record in records if record.id not in ids]
        name = groups.name(label)
        if ages:
            oldest[name] = min(ages[0], oldest.get(name, ages[0]))
    return oldest
