"""Read from a store, in one go, all that a plan needs to know about a batch of records."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from dupgroups.engines.base import Store
from dupgroups.grouping import Age, Corrections, Judge, Rule, View
from dupgroups.grouping.corrections import NOTHING, unlisted, with_partners
from dupgroups.grouping.heads import heads_among, pinned_first
from dupgroups.grouping.key_index import candidates_in_batch
from dupgroups.model import Record, Seen, Signature

FELLOWS = 1_000  # members of the groups that are put together anew; the rest of a huge group stays as it is
LARGE = (
    50  # members of a group that stays as it is when a document meets it: who joins is compared with as many
)
WIDENED = 5  # times that a view takes in the groups that it turns out to need


Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class Observer:
    """Looks at a store. `schemes`: the signatures that can be judged; documents of others stay where they
    are. `judge` is asked where it depends on verdicts what has to be looked at. `corrections` are what people
    said of documents; without any nothing more is read for them.
    """

    store: Store
    rule: Rule
    schemes: Collection[str]
    judge: Judge
    corrections: Corrections = NOTHING

    def arriving(self, records: Sequence[Record], stored: Mapping[str, Record], version: object) -> View:
        """The view for records that are about to be written; `stored` is what the store has under their ids.

        The groups of documents that are signed or dated otherwise now are put together anew, and with average
        linkage, or where people keep documents apart, those that a record is tied to.
        """
        known = [stored[record.id] for record in records if record.id in stored]
        arrived = {record.id: record for record in records}
        leaving = [record for record in known if self._may_leave(record, arrived[record.id])]
        looked = _Looked(self.store, self.corrections, self.schemes)
        met: list[Record] = []
        for _ in range(WIDENED):
            view = self._view(records, known, leaving, gone=(), version=version, looked=looked, met=met)
            more = self._met(view, looked, met)
            if not more:
                break
            met = [*met, *more]
        return view

    def _may_leave(self, old: Record, new: Record) -> bool:
        """Whether what ties a stored document to its group may not tie its new version."""
        moved = self.rule.within_days is not None and old.day != new.day
        return moved or old.signature != new.signature

    def regrouping(self, records: Sequence[Record], *, version: object) -> View:
        """The view for putting the groups of these stored records together anew."""
        return self._whole(records, gone=(), version=version)

    def without(self, records: Sequence[Record], *, version: object) -> View:
        """The view for the groups of these stored records once the records are gone."""
        return self._whole(records, gone=[record.id for record in records], version=version)

    def _whole(self, records: Sequence[Record], *, gone: Collection[str], version: object) -> View:
        """Candidates whose group was merged away, but whose own label does not say so yet, are put together
        anew as well: whoever wanted to merge their group may have died before it had a reason to.
        """
        looked = _Looked(self.store, self.corrections, self.schemes)
        met: list[Record] = []
        for _ in range(WIDENED):
            view = self._view((), records, records, gone=gone, version=version, looked=looked, met=met)
            half_moved = [
                other
                for others in view.candidates.values()
                for other in others
                if other.group in view.groups and view.groups[other.group][1] != other.group
            ]
            more = self._met(view, looked, met)
            if not half_moved and not more:
                break
            records, met = [*records, *half_moved], [*met, *more]
        return view

    def _met(self, view: View, looked: _Looked, before: Sequence[Record]) -> list[Record]:
        """With average linkage, or near documents that people keep apart: a member of each further group that
        is tied to the view, or to such a group; of none that was met `before`.

        All of them are put together anew, because a cluster depends on those around it.
        """
        met = {record.group: record for record in before}
        widens = self.rule.linkage == "average" or self._is_constrained(view, looked)
        new = view.records if widens else ()
        inside = {record.id for record in view.records}
        stored = len(view.stored)
        while new and len(inside) < FELLOWS:
            tied = self._tied(new, looked, inside, {*view.sizes, *met}, self._wanted(stored))
            met |= tied
            resolved = self.store.resolve(sorted(tied)) if tied else {}
            groups = self._first_members({*resolved, *resolved.values()}, resolved, looked, self._shown)
            large = self._large(groups, resolved, looked)
            members = (record for name, group in groups.items() if name not in large for record in group)
            new = [record for record in members if record.id not in inside]
            inside |= {record.id for record in new}
            stored += len(new)
        return [*met.values()][len({record.group for record in before}) :]

    def _is_constrained(self, view: View, looked: _Looked) -> bool:
        """Whether the view touches a group that holds a document that people keep apart from another one.

        No other group can be tied to one that it is not merged with: only such ties are passed over.
        """
        kept_apart = self.corrections.kept_apart
        if not kept_apart:
            return False
        held = set(looked.places.values())
        here = (record.id in kept_apart for record in view.records)
        return any(here) or any(name in held for _, name in view.groups.values())

    def _large(
        self, groups: Mapping[str, Sequence[Record]], resolved: Mapping[str, str], looked: _Looked
    ) -> dict[str, int]:
        """The sizes of the groups that stay as they are; not of those that hold documents kept apart."""
        large = {label: len(members) for label, members in groups.items() if len(members) > LARGE}
        held = set(looked.places.values()) if large else set()
        return {label: size for label, size in large.items() if resolved.get(label, label) not in held}

    def _tied(
        self,
        records: Sequence[Record],
        looked: _Looked,
        inside: Collection[str],
        known: Collection[str],
        limit: int,
    ) -> dict[str, Record]:
        """A candidate outside whose relation to one of the records joins, for each group that has one and is
        not known, by group.
        """
        tied: dict[str, Record] = {}
        for record, others in zip(records, looked.candidates(records, limit), strict=True):
            for other in (*others, *looked.partners(record)):
                is_new = other.id not in inside and other.group not in known and other.group not in tied
                if is_new and self._ties(record, other):
                    tied[other.group] = other
        return tied

    def _ties(self, record: Record, other: Record) -> bool:
        if self.corrections.verdict(record.id, other.id):
            return True
        return self.rule.compares(record, other) and self.rule.joins(self.judge(record, other))

    def _view(
        self,
        arriving: Sequence[Record],
        known: Sequence[Record],
        leaving: Sequence[Record],
        *,
        gone: Collection[str],
        version: object,
        looked: _Looked,
        met: Sequence[Record] = (),
    ) -> View:
        """`known`: what is stored of the documents in question. `leaving`: those that may leave their
        groups. `met`: those whose groups are put together anew unless they are large.
        """
        resolved = self.store.resolve(sorted({record.group for record in (*known, *met)}))
        left = _labels(leaving, resolved)
        limit = self._shown + len(known)
        first = self._first_members({*resolved, *resolved.values()} - left, resolved, looked, limit)
        members = first | self._members(left)
        large = self._large(members, resolved, looked)
        opened = left | (_labels(met, resolved) - large.keys())
        present = {record.id for record in arriving} | set(gone)
        regrouped = self._fellows((members[label] for label in sorted(opened)), present)
        records = [*regrouped, *arriving]
        ids = {record.id for record in records} | set(gone)
        candidates = self._candidates(records, ids, stored=len(known) + len(regrouped), looked=looked)
        outside = [other for others in candidates.values() for other in others if other.id not in ids]
        groups, headless = self._groups(outside)
        stored = {record.id: record for record in (*known, *regrouped)}
        partly = {label for label in first if len(first[label]) == limit}
        standing = self._standing(groups.values(), members, partly, ids, looked)
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
            corrections=self.corrections,
            places={id_: group for id_, group in looked.places.items() if id_ not in ids},
            seen=Seen(
                version,
                _versions(standing) | {record.id: _version(stored.get(record.id)) for record in records},
            ),
        )

    def _fellows(self, groups: Iterable[Sequence[Record]], present: Collection[str]) -> list[Record]:
        """The members that can be judged, the oldest first, but for those that are in the batch already.

        Of too many those that people keep apart, and the oldest.
        """
        fellows = {record.id: record for members in groups for record in members if record.id not in present}
        judged = [record for record in fellows.values() if record.signature.scheme in self.schemes]
        kept_apart = self.corrections.kept_apart
        first = sorted(judged, key=lambda record: (record.id not in kept_apart, record.age))[:FELLOWS]
        return sorted(first, key=lambda record: record.age)

    def _candidates(
        self, records: Sequence[Record], ids: Collection[str], *, stored: int, looked: _Looked
    ) -> dict[str, list[Record]]:
        """Stored ones, without what is stored under the ids of the batch, then earlier ones of the batch.

        At most `stored` of those that the store names are left out: it names so many more, up to twice the
        limit, or the copies of a story would hide their twins in another group.
        """
        limit = self.rule.candidates
        looked_up = looked.candidates(records, self._wanted(stored))
        earlier = candidates_in_batch(records, limit=limit)
        found = {
            record.id: [*[other for other in others if other.id not in ids][:limit], *before]
            for record, others, before in zip(records, looked_up, earlier, strict=True)
        }
        for record in records:
            outside = [other for other in looked.partners(record) if other.id not in ids]
            found[record.id] += unlisted(outside, found[record.id])
        return with_partners(found, records, self.corrections)

    def _wanted(self, stored: int) -> int:
        """How many candidates a store is asked for when so many documents of the batch are stored."""
        return self.rule.candidates + min(self.rule.candidates, stored)

    def _groups(self, met: Sequence[Record]) -> tuple[dict[str, Age], dict[str, list[Record]]]:
        """For each label of these records the age of its group now; and the members of the groups that nobody
        names. Who names a group is most often among them, and need not be read then.
        """
        resolved = self.store.resolve(sorted({record.group for record in met}))
        known = {record.id: record for record in met}
        unknown = sorted(set(resolved.values()) - known.keys())
        naming = known | (self.store.get(unknown) if unknown else {})
        ages = {label: naming[name].age if name in naming else (0, name) for label, name in resolved.items()}
        return ages, self._members(set(resolved.values()) - set(naming))

    def _standing(
        self,
        met: Iterable[Age],
        members: Mapping[str, Sequence[Record]],
        partly: Collection[str],
        ids: Collection[str],
        looked: _Looked,
    ) -> dict[str, list[Record]]:
        """Of the groups whose members are known, and of those that are met where heads are elected or pinned,
        the heads outside of the batch: those that are, and the one that should be.

        `partly`: the groups of which only the oldest members are known. Heads may be any of the others then.
        """
        groups = {name for _, name in met} | members.keys()
        elects = self.rule.elects or looked.pins(groups, ids)
        known = {name: members[name] for name in members if not (elects and name in partly)}
        names = sorted(groups - known.keys()) if elects else []
        heads = (
            {name: _outside(records, ids) for name, records in self.store.heads(names).items()}
            if names
            else {}
        )
        # whoever took the head away died, or it is in the batch, and may not be the best one any longer
        headless = self._members([name for name in names if not heads[name]])
        order = pinned_first(self.corrections.heads, self.rule.order)
        outside = {name: _outside(records, ids) for name, records in {**known, **heads, **headless}.items()}
        return {
            name: heads_among((record for record in records if record.group == name), order)
            for name, records in outside.items()
            if records
        }

    @property
    def _shown(self) -> int:
        """Members of a group that show whether it is large, and as many as a document is compared with."""
        return max(LARGE, self.rule.candidates) + 1

    def _members(self, groups: Collection[str]) -> dict[str, list[Record]]:
        return self.store.members(sorted(groups)) if groups else {}

    def _first_members(
        self, groups: Collection[str], resolved: Mapping[str, str], looked: _Looked, limit: int
    ) -> dict[str, list[Record]]:
        """The first members of groups, so many that it shows whether they are large; all members of those
        that hold documents kept apart.
        """
        held = set(looked.places.values())
        whole = {label for label in groups if resolved.get(label, label) in held}
        return looked.first_members(sorted(set(groups) - whole), limit) | self._members(whole)


class _Looked:
    """The look-ups of one view, so that a view that is widened asks the store for the new records only."""

    def __init__(self, store: Store, corrections: Corrections, schemes: Collection[str]) -> None:
        self._store = store
        self._corrections = corrections
        self._schemes = schemes
        self._found: dict[Signature, tuple[int, list[Record]]] = {}
        self._members: dict[str, tuple[int, list[Record]]] = {}

    @cached_property
    def corrected(self) -> dict[str, Record]:
        """The stored documents of which people said something, and that can be judged, by id."""
        ids = sorted(self._corrections.ids)
        found = self._store.get(ids) if ids else {}
        return {id_: record for id_, record in found.items() if record.signature.scheme in self._schemes}

    @cached_property
    def _groups(self) -> dict[str, str]:
        """The group of each of them now."""
        records = self.corrected
        resolved = (
            self._store.resolve(sorted({record.group for record in records.values()})) if records else {}
        )
        return {id_: resolved[record.group] for id_, record in records.items()}

    @cached_property
    def places(self) -> dict[str, str]:
        """The group of each document that is kept apart from another one."""
        return {id_: group for id_, group in self._groups.items() if id_ in self._corrections.kept_apart}

    def partners(self, record: Record) -> list[Record]:
        """The stored documents that are kept together with this one."""
        partners = self._corrections.partners.get(record.id, ())
        return [self.corrected[id_] for id_ in sorted(partners) if id_ in self.corrected]

    def pins(self, groups: Collection[str], ids: Collection[str]) -> bool:
        """Whether a document that is pinned as a head is in one of these groups, or has one of these ids."""
        pinned = self._corrections.heads
        return any(id_ in pinned for id_ in ids) or any(self._groups.get(id_) in groups for id_ in pinned)

    def candidates(self, records: Sequence[Record], limit: int) -> list[list[Record]]:
        """At most `limit` or more stored records that share keys with each; equal signatures look once."""
        signatures = [record.signature for record in records]
        missing = _missing(dict.fromkeys(signatures), self._found, limit)
        if missing:
            found = self._store.candidates(missing, limit=limit)
            self._found.update((one, (limit, others)) for one, others in zip(missing, found, strict=True))
        return [self._found[signature][1] for signature in signatures]

    def first_members(self, groups: Collection[str], limit: int) -> dict[str, list[Record]]:
        """The oldest members of each group, `limit` at most."""
        missing = _missing(groups, self._members, limit)
        if missing:
            found = self._store.members(missing, limit=limit)
            self._members.update((name, (limit, members)) for name, members in found.items())
        return {name: self._members[name][1][:limit] for name in groups}


def _missing(
    wanted: Iterable[Key], found: Mapping[Key, tuple[int, Sequence[Record]]], limit: int
) -> list[Key]:
    """What was not asked for yet, or for fewer records than there are."""
    missing = []
    for key in wanted:
        asked, records = found.get(key, (0, ()))
        if asked < limit and len(records) >= asked:
            missing.append(key)
    return missing


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
