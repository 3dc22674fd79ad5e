"""Read from a store, in one go, all that a plan needs to know about a batch of records."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from dupgroups.engines.base import Store
from dupgroups.grouping import Age, Rule, View
from dupgroups.grouping.key_index import candidates_in_batch
from dupgroups.model import Record


def look(store: Store, records: Sequence[Record], stored: Mapping[str, Record], rule: Rule) -> View:
    """The view for records that are about to be written; `stored` holds what the store has under their ids.

    That is not a candidate of another one: it will be gone.
    """
    ids = {record.id for record in records}
    earlier = candidates_in_batch(records, limit=rule.candidates)
    candidates = {
        record.id: [*(other for other in others if other.id not in ids), *before]
        for record, others, before in zip(records, _candidates(store, records, rule), earlier, strict=True)
    }
    labels = {other.group for others in candidates.values() for other in others if other.id not in ids}
    groups = _groups(store, labels)
    losing = [record.id for record in records if record.id in stored]
    left_behind = _left_behind(store, losing, gone=ids)
    return View(stored=stored, candidates=candidates, groups=groups, left_behind=left_behind)


def look_again(store: Store, records: Sequence[Record], rule: Rule) -> View:
    """The view for stored records, as the store has them, that may have missed a twin: they stay."""
    candidates = {
        record.id: [other for other in others if other.id != record.id]
        for record, others in zip(records, _candidates(store, records, rule), strict=True)
    }
    labels = {other.group for others in candidates.values() for other in others}
    groups = _groups(store, labels | {record.group for record in records})
    return View(candidates=candidates, groups=groups, staying=frozenset(record.id for record in records))


def look_at_headless(store: Store, gone: Sequence[str]) -> View:
    """The view for groups that have lost the documents `gone`, which may have named them."""
    return View(left_behind=_left_behind(store, gone, gone=set(gone)))


def _candidates(store: Store, records: Sequence[Record], rule: Rule) -> list[list[Record]]:
    return store.candidates([record.signature for record in records], limit=rule.candidates)


def _groups(store: Store, labels: Iterable[str]) -> dict[str, Age]:
    """For each label the age of the document that names its group now: unknown ones are the oldest."""
    resolved = store.resolve(sorted(set(labels)))
    naming = store.get(sorted(set(resolved.values())))
    return {label: naming[name].age if name in naming else (0, name) for label, name in resolved.items()}


def _left_behind(store: Store, names: Sequence[str], *, gone: Collection[str]) -> dict[str, Age]:
    """Of the groups of these names, what is left without the documents that are `gone`."""
    members = store.members(names) if names else {}
    left = {
        name: [record for record in records if record.id not in gone] for name, records in members.items()
    }
    return {name: records[0].age for name, records in left.items() if records}
