"""A page that is changed keeps its story while it shares half of what it said before.

The figures that changed are what makes it interesting, and they are why a judge would part it from the copies
of its earlier text. So the log of corrections gets an entry that keeps it together with one of these copies:
whoever groups gives one answer, it can be undone like any other entry, and what people said comes first. When
the page tells something else, the entry is undone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from dupgroups.engines.base import Store
from dupgroups.errors import InputError
from dupgroups.flow.corrector import add_entry
from dupgroups.flow.method_set import MethodSet
from dupgroups.grouping.constraints import Corrections, active_entries, check_consistent, pair_of
from dupgroups.grouping.grouping_rule import GroupingRule
from dupgroups.grouping.plan import Plan
from dupgroups.grouping.view import View
from dupgroups.model import PROGRAM, Correction, Record

MIN_SHARED = 0.5  # of the words of the shorter version, in their order
MAX_KEPT_PAGES = 5_000  # entries of a log; with more of them changed pages are grouped by their texts alone


@dataclass(frozen=True, slots=True)
class Arriving:
    """Pages that arrive, what is stored under their ids, and, by id, the texts known (as of `join_title`)."""

    records: Sequence[Record] = ()
    stored: Mapping[str, Record] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KeptPages:
    """Keeps changed pages in their stories. `clock` gives the microseconds since 1970 that date entries."""

    store: Store
    methods: MethodSet
    clock: Callable[[], int]

    def release(self, kept: Sequence[Correction], arriving: Arriving) -> list[Correction]:
        """Undo those of the entries whose pages do not tell their story any more, or may not be in it. The
        undoing entries are still to be carried out.
        """
        arrived = {record.id: record for record in arriving.records}
        entries = [one for one in kept if not arrived.keys().isdisjoint(one.ids)]
        named = {id_ for one in entries for id_ in one.ids}
        staying = self._find_staying(named & arrived.keys(), arriving)
        others = sorted(named - arrived.keys())
        records = (self.store.get(others) if others else {}) | {id_: arrived[id_] for id_ in staying}
        released = []
        for entry in entries:
            pair = [records[id_] for id_ in entry.ids if id_ in records]
            if len(pair) < 2 or not self.methods.rule.is_near_in_time(*pair):
                released.append(add_entry(self.store, partial(self._release, entry)))
        return released

    def keep(self, arriving: Arriving, view: View, planned: Plan) -> bool:
        """Keep those that this plan would part from their story; whether it has to be made again for any."""
        leaving = _find_leaving(arriving, view, planned, self.methods.rule)
        arrived = {record.id for record in arriving.records} if leaving else set()
        staying = self._find_staying(arrived, arriving)
        entered = []
        for id_, others in leaving.items():
            left = [other for other in others if other in staying or other not in arrived]
            if left and id_ in staying:
                entered.append(add_entry(self.store, partial(self._keep, (id_, left[0]))))
        return any(entered)

    def _keep(self, ids: tuple[str, str], log: Sequence[Correction]) -> Correction | None:
        """An entry that keeps a changed page with another one: it is carried out as the page is stored."""
        if not _may_keep(log, ids):
            return None
        return Correction(len(log) + 1, "keep-together", ids, PROGRAM, self.clock(), carried_out=True)

    def _release(self, kept: Correction, log: Sequence[Correction]) -> Correction:
        return Correction(len(log) + 1, "undo", kept.ids, PROGRAM, self.clock(), kept.number)

    def _find_staying(self, ids: Collection[str], arriving: Arriving) -> set[str]:
        """Those of the arriving pages that the store has in the same scope (`group_by`), and that share
        enough with the stored text, unless others have written the new one there already.
        """
        known = [one for one in arriving.records if one.id in ids and one.id in arriving.stored]
        pairs = [(one, arriving.stored[one.id]) for one in known]
        pairs = [(one, old) for one, old in pairs if one.signature.scope == old.signature.scope]
        staying = {one.id for one, old in pairs if one.fingerprint == old.fingerprint}
        changed = sorted({one.id for one, _ in pairs} - staying)
        old_texts = self.store.texts(changed) if changed else {}
        for id_ in changed:
            old, new = old_texts.get(id_, ""), arriving.texts.get(id_, "")
            if old != new and self.methods.share_in_order(old, new) >= MIN_SHARED:
                staying.add(id_)
        return staying


def list_kept(log: Sequence[Correction]) -> list[Correction]:
    """The entries that keep changed pages in their stories."""
    return [entry for entry in active_entries(log) if entry.keeps_page]


def _find_leaving(arriving: Arriving, view: View, planned: Plan, rule: GroupingRule) -> dict[str, list[str]]:
    """The changed pages that would leave a story and join none, each with the others of it, oldest first."""
    stored, former, outcomes = arriving.stored, view.batch.former, planned.outcomes
    changed = [one for one in arriving.records if one.id in stored]
    changed = [one for one in changed if one.fingerprint != stored[one.id].fingerprint]
    members = [one for one in view.batch.records if one.id in former] if changed else []
    leaving = {}
    for record in changed:
        others = [one for one in members if former[one.id] == former[record.id] and one.id != record.id]
        near = [one for one in others if rule.is_near_in_time(record, one)]
        own = outcomes[record.id]
        met = [*others, *(one for one in members if one.id in view.batch.regrouped)]
        if near and not own.verdicts and all(outcomes[one.id].group != own.group for one in met):
            leaving[record.id] = [one.id for one in sorted(near, key=lambda one: one.age)]
    return leaving


def _may_keep(log: Sequence[Correction], ids: Sequence[str]) -> bool:
    """Whether a log may get an entry for these two: it has room, and people did not say otherwise, nor undid
    one for them. Copies of what they said before do not count: the page is in its story beside what is said.
    """
    kept = [entry for entry in log if entry.keeps_page]
    undone = {entry.undoes for entry in log if entry.by != PROGRAM}
    said = Corrections.of(log)
    if len(kept) >= MAX_KEPT_PAGES or any({*one.ids} == {*ids} for one in kept if one.number in undone):
        return False
    try:
        check_consistent(replace(said, together={**said.together, pair_of(*ids): 0}))
    except InputError:
        return False
    return pair_of(*ids) not in said.together
