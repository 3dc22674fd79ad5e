"""Read from a store, in one go, all that a plan needs to know about a batch of records."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from dupgroups.engines.base import Store
from dupgroups.flow.frontier import Frontier
from dupgroups.flow.lookup_cache import LookupCache
from dupgroups.grouping import Age, Corrections, Judge, Rule, View
from dupgroups.grouping.corrections import NOTHING, unlisted, with_partners
from dupgroups.grouping.heads import heads_among, pinned_first
from dupgroups.grouping.key_index import candidates_in_batch
from dupgroups.model import Record, Seen


@dataclass(frozen=True, slots=True)
class _Subject:
    """What a view is about: records that are `arriving`; of the documents in question those that are stored
    (`known`), those of them that may leave their groups (`leaving`), and the ids of those that are about to
    be deleted (`gone`). `tied`: a record of each group that is put together anew as well, unless it is large.
    """

    arriving: Sequence[Record] = ()
    known: Sequence[Record] = ()
    leaving: Sequence[Record] = ()
    gone: frozenset[str] = frozenset()
    tied: Sequence[Record] = ()


class ViewBuilder:
    """Builds one view of a store. `schemes`: the signatures that can be judged; documents of others stay
    where they are. `judge` is asked where it depends on verdicts what has to be looked at. `corrections` are
    what people said of documents; without any nothing more is read for them.
    """

    def __init__(
        self,
        store: Store,
        rule: Rule,
        schemes: Collection[str],
        judge: Judge,
        corrections: Corrections = NOTHING,
    ) -> None:
        self._store = store
        self._rule = rule
        self._schemes = schemes
        self._corrections = corrections
        self._cache = LookupCache(store, rule, schemes, corrections)
        self._frontier = Frontier(self._cache, rule, judge, corrections)

    def arriving(self, records: Sequence[Record], stored: Mapping[str, Record], version: object) -> View:
        """The view for records that are about to be written; `stored` is what the store has under their ids.

        The groups of documents that are signed or dated otherwise now are put together anew, and with average
        linkage, or where people keep documents apart, those that a record is tied to.
        """
        known = [stored[record.id] for record in records if record.id in stored]
        arrived = {record.id: record for record in records}
        leaving = [record for record in known if self._may_leave(record, arrived[record.id])]
        return self._widened(_Subject(records, known, leaving), version)

    def regrouping(self, records: Sequence[Record], version: object) -> View:
        """The view for putting the groups of these stored records together anew."""
        return self._widened(_Subject(known=records, leaving=records), version)

    def without(self, records: Sequence[Record], version: object) -> View:
        """The view for the groups of these stored records once the records are gone."""
        gone = frozenset(record.id for record in records)
        return self._widened(_Subject(known=records, leaving=records, gone=gone), version)

    def _may_leave(self, old: Record, new: Record) -> bool:
        """Whether what ties a stored document to its group may not tie its new version."""
        moved = self._rule.within_days is not None and old.day != new.day
        return moved or old.signature != new.signature

    def _widened(self, subject: _Subject, version: object) -> View:
        """The view with the groups that it turns out to depend on, until there are no more."""
        while True:
            view = self._view(subject, version)
            tied, is_cut = self._frontier.beyond(view, subject.tied)
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
        regrouped = self._frontier.within(fellows)
        records = [*regrouped, *subject.arriving]
        ids = {record.id for record in records} | subject.gone
        candidates = self._candidates(records, ids, stored=len(known) + len(regrouped))
        outside = [other for others in candidates.values() for other in others if other.id not in ids]
        groups, headless = self._groups(outside)
        stored = {record.id: record for record in (*known, *regrouped)}
        partly = {label for label in first if len(first[label]) == self._cache.shown + len(known)}
        standing = self._standing(groups.values(), members, partly, ids)
        return View(
            records=records,
            regrouped=frozenset(record.id for record in regrouped),
            stored=stored,
            candidates=candidates,
            groups=groups,
            former={id_: resolved.get(record.group, record.group) for id_, record in stored.items()},
            left_behind=_oldest_outside([*members.items(), *headless.items()], resolved, ids),
            sizes={resolved.get(label, label): large[label] for label in large.keys() - opened},
            standing=standing,
            corrections=self._corrections,
            places={id_: group for id_, group in self._cache.places.items() if id_ not in ids},
            is_cut=len(regrouped) < len(fellows),
            seen=Seen(
                version,
                _versions(standing) | {record.id: _version(stored.get(record.id)) for record in records},
            ),
        )

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
            record.id: [*_outside(others, ids)[:limit], *before]
            for record, others, before in zip(records, looked_up, earlier, strict=True)
        }
        for record in records:
            found[record.id] += unlisted(_outside(self._cache.partners(record), ids), found[record.id])
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

    def _standing(
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
        heads = {name: _outside(records, ids) for name, records in found.items()}
        # whoever took the head away died, or it is in the batch, and may not be the best one any longer
        headless = self._cache.members([name for name in names if not heads[name]])
        order = pinned_first(self._corrections.heads, self._rule.order)
        outside = {name: _outside(records, ids) for name, records in {**known, **heads, **headless}.items()}
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
    candidates = {other.id: other for others in view.candidates.values() for other in others}
    return [
        other
        for other in candidates.values()
        if other.id not in ids and other.group in view.groups and view.groups[other.group][1] != other.group
    ]


def _outside(records: Iterable[Record], ids: Collection[str]) -> list[Record]:
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


def _versions(standing: Mapping[str, Sequence[Record]]) -> dict[str, object]:
    return {record.id: record.version for records in standing.values() for record in records}


def _version(record: Record | None) -> object:
    return record.version if record else None
