"""The look-ups of one view: a view that is widened asks the store for what is new only."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TypeVar

from dupgroups.engines.base import Store
from dupgroups.grouping.constraints import Corrections, exclude_listed
from dupgroups.grouping.grouping_rule import GroupingRule
from dupgroups.grouping.key_index import KeyIndex
from dupgroups.model import Record, Signature

# members of a group that stays as it is when a document meets it: who joins is compared with as many
LARGE_GROUP_MEMBERS = 50

Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class KnownGroups:
    """The groups that some stored records are in, under the labels that these have and under their names."""

    resolved: Mapping[str, str]
    """For each label the name of its group now."""

    members: Mapping[str, Sequence[Record]]
    """The oldest members under each label, or all of them."""

    large: Mapping[str, int]
    """The sizes of those that stay as they are."""

    partly: Collection[str]
    """Those that may have more members than are known."""

    def name(self, label: str) -> str:
        """The name now of a group that may have been looked up."""
        return self.resolved.get(label, label)

    def labels(self, records: Iterable[Record]) -> set[str]:
        """The labels of some of these records, and the names of their groups."""
        return _labels(records, self.resolved)


@dataclass(eq=False, repr=False)
class LookupCache:
    """Reads from a store. `schemes`: the signatures that can be judged. `rule` and `corrections` are what
    documents are grouped by. `unframed`: signatures without frames, by the ids of documents.
    """

    store: Store
    rule: GroupingRule
    schemes: Collection[str]
    corrections: Corrections
    unframed: Mapping[str, Signature]
    _found: dict[Signature, tuple[int, list[Record]]] = field(default_factory=dict, init=False)
    _members: dict[str, tuple[int, list[Record]]] = field(default_factory=dict, init=False)
    _resolved: dict[str, str] = field(default_factory=dict, init=False)
    _partners: dict[str, Record | None] = field(default_factory=dict, init=False)

    # -- candidates

    def candidates(self, records: Sequence[Record], *, stored: int) -> list[list[Record]]:
        """The stored records that share keys with each; equal signatures look once. Half of those of a text
        with a frame share keys without it: others with the frame would hide a copy with another one.

        `stored`: how many of the batch the store has itself. The caller leaves these out, so it gets so many
        more, up to twice the limit, or the copies of a story would hide their copies in another group.
        """
        limit = self.rule.candidates + min(self.rule.candidates, stored)
        own = [self.unframed.get(record.id) for record in records]
        self._find([*(record.signature for record in records), *filter(None, own)], limit)
        merged = []
        for record, unframed in zip(records, own, strict=True):
            first = self._found[unframed][1][: limit // 2] if unframed else []
            merged.append([*first, *exclude_listed(self._found[record.signature][1], first)])
        return merged

    def _find(self, signatures: Sequence[Signature], limit: int) -> None:
        missing = _missing(dict.fromkeys(signatures), self._found, limit)
        if missing:
            found = self.store.candidates(missing, limit=limit)
            self._found.update((one, (limit, others)) for one, others in zip(missing, found, strict=True))

    # -- groups

    def resolve(self, records: Iterable[Record]) -> dict[str, str]:
        """For each label of these records the name of its group now."""
        labels = sorted({record.group for record in records})
        missing = [label for label in labels if label not in self._resolved]
        if missing:
            self._resolved |= self.store.resolve(missing)
        return {label: self._resolved[label] for label in labels}

    def members(self, groups: Collection[str]) -> dict[str, list[Record]]:
        """All members of each group."""
        return self.store.members(sorted(groups)) if groups else {}

    def look_up(
        self, records: Iterable[Record], leaving: Collection[Record] = (), *, stored: int = 0
    ) -> KnownGroups:
        """The groups of these records: all members of those that some are `leaving`, which are among them, of
        the others the oldest, so many that it shows whether the group is large, beside those `stored` that
        may be of the batch.
        """
        resolved = self.resolve(records)
        left = _labels(leaving, resolved)
        # members that show whether a group is large, and as many as a document is compared with
        limit = max(LARGE_GROUP_MEMBERS, self.rule.candidates) + 1 + stored
        first = self._first_members({*resolved, *resolved.values()} - left, resolved, limit)
        members = first | self.members(left)
        partly = {label for label, some in first.items() if len(some) == limit}
        return KnownGroups(resolved, members, self._large(members, resolved), partly)

    def judgeable(self, groups: Iterable[Iterable[Record]]) -> list[Record]:
        """The members of groups that can be judged, each once."""
        members = {record.id: record for record in chain.from_iterable(groups)}
        return [record for record in members.values() if record.signature.scheme in self.schemes]

    def _first_members(
        self, groups: Collection[str], resolved: Mapping[str, str], limit: int
    ) -> dict[str, list[Record]]:
        """The oldest members of each group; all members of groups that hold documents kept apart."""
        whole = {label for label in groups if resolved.get(label, label) in self._held}
        names = sorted(set(groups) - whole)
        missing = _missing(names, self._members, limit)
        if missing:
            found = self.store.members(missing, limit=limit)
            self._members.update((name, (limit, members)) for name, members in found.items())
        return {name: self._members[name][1][:limit] for name in names} | self.members(whole)

    def _large(self, groups: Mapping[str, Sequence[Record]], resolved: Mapping[str, str]) -> dict[str, int]:
        """The sizes of the groups that stay as they are; not of those that hold documents kept apart."""
        sizes = {label: len(members) for label, members in groups.items()}
        large = {label: size for label, size in sizes.items() if size > LARGE_GROUP_MEMBERS}
        held = self._held if large else set()
        return {label: size for label, size in large.items() if resolved.get(label, label) not in held}

    # -- what people said

    @cached_property
    def groups_of_kept_apart(self) -> dict[str, str]:
        """The group of each document that is kept apart from another one."""
        return {id_: group for id_, group in self._groups.items() if id_ in self.corrections.kept_apart}

    def partners(self, record: Record) -> list[Record]:
        """The stored documents kept together with this one, and copies of them, also while they are away."""
        names, copies = self.corrections.partners(record), self.corrections.copies
        missing = [name for name in names if name not in self._partners and name not in copies]
        found = self.store.get(missing) if missing else {}
        self._partners.update((id_, found.get(id_)) for id_ in missing)
        signatures = [copies[name] for name in names if name in copies]
        self._find(signatures, self.rule.candidates)
        near = chain.from_iterable(self._found[signature][1] for signature in signatures)
        known = [*filter(None, map(self._partners.get, names)), *(one for one in near if one.mark in names)]
        return self.judgeable([known])

    def kept_apart_near(self, record: Record) -> list[Record]:
        """The stored documents that people keep apart from others, and that share keys with a record."""
        return self._kept_apart.candidates(record.signature, limit=len(self._kept_apart))

    @cached_property
    def _kept_apart(self) -> KeyIndex:
        return KeyIndex(self._corrected[id_] for id_ in self.groups_of_kept_apart)

    def pins(self, groups: Collection[str], ids: Collection[str]) -> bool:
        """Whether a document that is pinned as a head is in one of these groups, or has one of these ids."""
        pinned = self.corrections.heads
        return any(id_ in pinned for id_ in ids) or any(self._groups.get(id_) in groups for id_ in pinned)

    def is_constrained(self, records: Iterable[Record], groups: Iterable[str]) -> bool:
        """Whether people keep one of these records, or a member of one of these groups, apart from another
        document. No other group can be tied to one that it is not merged with.
        """
        parted, names = self.corrections.parted_names, self.corrections.names
        if not parted:
            return False
        kept_apart = any(not parted.isdisjoint(names(record)) for record in records)
        return kept_apart or not self._held.isdisjoint(groups)

    @cached_property
    def _corrected(self) -> dict[str, Record]:
        """The stored documents that are kept apart from others, or pinned, and that can be judged, by id."""
        ids = sorted(self.corrections.kept_apart | self.corrections.heads.keys())
        found = self.store.get(ids) if ids else {}
        return {id_: record for id_, record in found.items() if record.signature.scheme in self.schemes}

    @cached_property
    def _groups(self) -> dict[str, str]:
        resolved = self.resolve(self._corrected.values())
        return {id_: resolved[record.group] for id_, record in self._corrected.items()}

    @cached_property
    def _held(self) -> set[str]:
        return set(self.groups_of_kept_apart.values())


def _labels(records: Iterable[Record], resolved: Mapping[str, str]) -> set[str]:
    return {label for record in records for label in (record.group, resolved[record.group])}


def _missing(
    wanted: Iterable[Key], found: Mapping[Key, tuple[int, Sequence[Record]]], limit: int
) -> list[Key]:
    """Look-ups that were not made yet, or for fewer records than there are."""
    known = ((key, *found.get(key, (0, ()))) for key in wanted)
    return [key for key, asked, records in known if asked < limit and len(records) >= asked]
