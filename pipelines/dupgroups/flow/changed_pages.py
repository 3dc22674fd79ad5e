"""A page that is changed keeps its story while it shares half of what it said before.

The figures that changed are what makes it interesting, and they are why a judge would part it from the copies
of its earlier text. So the log of corrections gets an entry that keeps it together with one of these copies:
whoever groups gives one answer, it can be undone like any other entry, and what people said comes first. When
the page tells something else, the entry is undone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dupgroups.errors import InputError
from dupgroups.grouping.constraints import active_entries, check_entry
from dupgroups.grouping.grouping_rule import GroupingRule
from dupgroups.grouping.plan import Plan
from dupgroups.grouping.view import View
from dupgroups.methods.signatures.wrappers import scope_of
from dupgroups.model import PROGRAM, Correction, Record

MIN_SHARED = 0.5  # of the words of the shorter version, in their order
MAX_KEPT_PAGES = 5_000  # entries of a log; with more of them changed pages are grouped by their texts alone


def find_changed(arriving: Sequence[Record], stored: Mapping[str, Record]) -> list[Record]:
    """The arriving records that the store has with another text, in the same scope (`group_by`)."""
    known = [(one, stored[one.id]) for one in arriving if one.id in stored]
    return [
        one
        for one, old in known
        if one.fingerprint != old.fingerprint and scope_of(one.signature) == scope_of(old.signature)
    ]


def find_leaving(changed: Sequence[Record], view: View, planned: Plan, rule: GroupingRule) -> dict[str, str]:
    """The changed pages that would leave a story, each with the oldest page that stays in it."""
    former, leaving = view.batch.former, {}
    groups = {id_: outcome.group for id_, outcome in planned.outcomes.items()}
    members = [one for one in view.batch.records if one.id in view.batch.regrouped] if changed else []
    for record in changed:
        others = [one for one in members if former[one.id] == former[record.id]]
        near = [one for one in others if rule.is_near_in_time(record, one)]
        if near and all(groups[one.id] != groups[record.id] for one in others):
            leaving[record.id] = min(near, key=lambda one: one.age).id
    return leaving


def keeping_entry(number: int, ids: Sequence[str], at: int) -> Correction:
    """An entry that keeps a changed page with another one: it is carried out as the page is stored."""
    return Correction(number, "keep-together", tuple(ids), PROGRAM, at, carried_out=True)


def releasing_entry(number: int, kept: Correction, at: int) -> Correction:
    """An entry that takes such a one back."""
    return Correction(number, "undo", kept.ids, PROGRAM, at, kept.number, carried_out=True)


def list_kept(log: Sequence[Correction]) -> list[Correction]:
    """The entries that keep changed pages in their stories; those of people have marks."""
    kept = (entry for entry in active_entries(log) if entry.kind == "keep-together" and not entry.marks)
    return [entry for entry in kept if entry.by == PROGRAM]


def may_keep(log: Sequence[Correction], ids: Sequence[str]) -> bool:
    """Whether a log may get an entry for these two, the changed page first: it has room, and people did not
    say otherwise, nor undid one for this page.
    """
    undone = {entry.undoes for entry in log if entry.by != PROGRAM}
    if any(entry.number in undone and entry.by == PROGRAM and entry.ids[0] == ids[0] for entry in log):
        return False
    try:
        check_entry(log, "keep-together", ids)
    except InputError:
        return False
    return len(list_kept(log)) < MAX_KEPT_PAGES
