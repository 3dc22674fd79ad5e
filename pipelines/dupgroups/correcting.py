"""What people say of documents: entered into the log of a store, and carried out there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from dupgroups.engines.base import Store
from dupgroups.errors import ConflictError, InputError
from dupgroups.grouping import Plan
from dupgroups.grouping.corrections import check_entry, check_undo
from dupgroups.model import Correction, CorrectionKind, Record
from dupgroups.signatures.scoped import scope_digest

TRIES = 20  # numbers that others take before us
SHOWN = 20  # groups of which an entry notes the sizes
LONGEST = 100  # characters of a name, and of an unknown id that is shown

KINDS: dict[str, int] = {"keep-apart": 2, "keep-together": 2, "head": 1}
"""The kinds of corrections, and how many documents each is about."""

Differ = Callable[[Record, Record], bool]
"""Whether two documents belong to scopes that never come into one group."""

Regroup = Callable[[Sequence[Record]], Plan]
"""Puts the groups of stored records together anew, and returns what was planned."""

Regrouped = tuple[Sequence[Record], Plan]


@dataclass(frozen=True, slots=True)
class Corrector:
    """Enters corrections, and carries out those that were entered. `clock` gives microseconds since 1970;
    documents whose values of the fields `group_by` differ are not kept together.
    """

    store: Store
    regroup: Regroup
    clock: Callable[[], int]
    group_by: tuple[str, ...] = ()

    def correct(self, kind: CorrectionKind, ids: Sequence[str], *, by: str) -> Correction:
        """Enter a correction and carry it out; see `enter`."""
        return self._carry_out(enter(self.store, kind, ids, by=by, at=self.clock(), differ=self._differ))

    def undo(self, number: int, *, by: str) -> Correction:
        """Enter that a correction is undone, and carry that out; see `undo`."""
        return self._carry_out(undo(self.store, number, by=by, at=self.clock()))

    def carry_out_news(self) -> Iterator[Regrouped]:
        """Put the groups together anew of what was entered by others since this process read the log, and of
        what somebody entered who died before it was carried out.
        """
        known = {entry.number for entry in self.store.corrections()}
        for entry in self.store.corrections(fresh=True):
            if entry.after is None:
                self._carry_out(entry)
            elif entry.number not in known:
                records = list(self.store.get(entry.ids).values())
                yield records, self.regroup(records)

    def _carry_out(self, entry: Correction) -> Correction:
        members = touched(self.store, entry.ids)
        self.regroup(list(self.store.get(entry.ids).values()))
        after = sizes(self.store, members)
        self.store.corrected(entry.number, after)
        return replace(entry, after=after)

    def _differ(self, a: Record, b: Record) -> bool:
        """Whether two documents belong to different scopes."""
        if not self.group_by:
            return False
        read = self.store.read([a.id, b.id]).values()
        return len({scope_digest(document.content, self.group_by) for document in read}) > 1


def enter(
    store: Store, kind: CorrectionKind, ids: Sequence[str], *, by: str, at: int, differ: Differ
) -> Correction:
    """Add a correction to the log and return it. Raises InputError, and adds nothing, if it is none, if a
    document is not stored, and if it contradicts another one; EngineError when it cannot be stored.
    """
    if KINDS.get(kind) != len(ids):
        raise InputError(f"{kind!r} of {len(ids)} documents is not a correction: known are {_known()}")
    _check_name(by)
    return _add(store, lambda log: _checked(store, log, kind, ids, by, at, differ))


def undo(store: Store, number: int, *, by: str, at: int) -> Correction:
    """Add an entry that undoes an earlier one, and return it. Raises InputError if there is none to undo."""
    _check_name(by)

    def entry(log: Sequence[Correction]) -> Correction:
        undone = check_undo(log, number)
        before = sizes(store, touched(store, undone.ids))
        return Correction(len(log) + 1, "undo", undone.ids, by, at, number, before)

    return _add(store, entry)


def touched(store: Store, ids: Sequence[str]) -> list[Record]:
    """The members of the groups that these documents are in; [] if none of them is stored."""
    labels = sorted({record.group for record in store.get(ids).values()})
    groups = sorted({*labels, *store.resolve(labels).values()})
    members = store.members(groups) if groups else {}
    return list({record.id: record for records in members.values() for record in records}.values())


def sizes(store: Store, records: Collection[Record]) -> dict[str, int]:
    """The sizes of the groups that these stored records are in now, by name: the first SHOWN of them."""
    now = store.get([record.id for record in records]).values() if records else ()
    groups = sorted({record.group for record in now})[:SHOWN]
    return {group: len(members) for group, members in store.members(groups).items()} if groups else {}


def _add(store: Store, made: Callable[[Sequence[Correction]], Correction]) -> Correction:
    """Add what is made of the log; make it again when somebody else has taken its number."""
    for number in range(TRIES):
        entry = made(store.corrections(fresh=True))
        try:
            store.correct(entry)
            return entry
        except ConflictError:
            if number == TRIES - 1:
                raise
    raise AssertionError("the last try returns or raises")


def _checked(
    store: Store,
    log: Sequence[Correction],
    kind: CorrectionKind,
    ids: Sequence[str],
    by: str,
    at: int,
    differ: Differ,
) -> Correction:
    check_entry(log, kind, ids)
    stored = store.get([id_ for id_ in ids if _is_text(id_)])
    for id_ in ids:
        if id_ not in stored:
            raise InputError(
                f"no document has the id {id_[:LONGEST]!r}: give ids as `dup-groups search --json` does"
            )
    if kind == "keep-together" and differ(*(stored[id_] for id_ in ids)):
        raise InputError(
            f"{ids[0]!r} and {ids[1]!r} belong to different scopes (`group_by`), which no correction joins"
        )
    return Correction(len(log) + 1, kind, tuple(ids), by, at, before=sizes(store, touched(store, ids)))


def _is_text(id_: str) -> bool:
    return id_.encode("utf-8", "replace").decode() == id_


def _check_name(by: str) -> None:
    if not by.strip() or len(by) > LONGEST or not by.isprintable():
        raise InputError(f"a correction needs the name of who enters it: at most {LONGEST} characters")


def _known() -> str:
    return ", ".join(f"{kind} ({number})" for kind, number in KINDS.items())
