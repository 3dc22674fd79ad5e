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


def divide_known(
    arriving: Sequence[Record], stored: Mapping[str, Record]
) -> tuple[list[Record], list[Record]]:
    """The arriving records that the store has in the same scope (`group_by`): with this text, and another."""
    known = [one for one in arriving if one.id in stored]
    known = [one for one in known if scope_of(one.signature) == scope_of(stored[one.id].signature)]
    changed = [one for one in known if one.fingerprint != stored[one.id].fingerprint]
    return [one for one in known if one not in changed], changed


def find_leaving(
    changed: Sequence[Record], view: View, planned: Plan, rule: GroupingRule
) -> dict[str, list[str]]:
    """The changed pages that would leave a story and join no other one, each with the others of it, oldest
    first.
    """
    former, leaving, outcomes = view.batch.former, dict[str, list[str]](), planned.outcomes
    members = [one for one in view.batch.records if one.id in former] if changed else []
    for record in changed:
        others = [one for one in members if former[one.id] == former[record.id] and one.id != record.id]
        near = [one for one in others if rule.is_near_in_time(record, one)]
        own = outcomes[record.id]
        if near and not own.verdicts and all(outcomes[one.id].group != own.group for one in others):
            leaving[record.id] = [one.id for one in sorted(near, key=lambda one: one.age)]
    return leaving


def keeping_entry(number: int, ids: Sequence[str], at: int) -> Correction:
    """An entry that keeps a changed page with another one: it is carried out as the page is stored."""
    return Correction(number, "keep-together", tuple(ids), PROGRAM, at, carried_out=True)


def releasing_entry(number: int, kept: Correction, at: int) -> Correction:
    """An entry that takes such a one back."""
    return Correction(number, "undo", kept.ids, PROGRAM, at, kept.number)


def list_kept(log: Sequence[Correction]) -> list[Correction]:
    """The entries that keep changed pages in their stories."""
    return [entry for entry in active_entries(log) if _keeps_page(entry)]


def may_keep(log: Sequence[Correction], ids: Sequence[str]) -> bool:
    """Whether a log may get an entry for these two, the changed page first: it has room, and people did not
    say otherwise, nor undid one for this page, or for both.
    """
    undone = {entry.undoes for entry in log if entry.by != PROGRAM}
    kept = [entry for entry in log if _keeps_page(entry)]
    refused = [entry.ids for entry in kept if entry.number in undone]
    if len(kept) >= MAX_KEPT_PAGES or any(ids[0] == one[0] or {*ids} == {*one} for one in refused):
        return False
    try:
        check_entry(log, "keep-together", ids)
    except InputError:
        return False
    return True


def _keeps_page(entry: Correction) -> bool:
    return entry.kind == "keep-together" and entry.by == PROGRAM
