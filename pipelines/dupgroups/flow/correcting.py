"""What people say of documents: entered into the log of a store, and carried out there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from dupgroups.engines.base import Store
from dupgroups.errors import InputError
from dupgroups.flow.commit import commit_whole
from dupgroups.grouping.corrections import check_entry, check_undo
from dupgroups.grouping.plan import Plan
from dupgroups.methods.signatures.wrappers import scope_digest
from dupgroups.model import Correction, CorrectionKind, Record

SHOWN = 20  # groups of which an entry notes the sizes
COUNTED = 1_000  # members of a group that are counted: a size of so many means "at least"
LONGEST = 100  # characters of a name, and of an unknown id that is shown

KINDS: dict[str, int] = {"keep-apart": 2, "keep-together": 2, "head": 1}
"""The kinds of corrections, and how many documents each is about."""

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
        return self._carry_out(self.enter(kind, ids, by=by))

    def enter(self, kind: CorrectionKind, ids: Sequence[str], *, by: str) -> Correction:
        """Add a correction to the log and return it. Raises InputError, without writing, if it is malformed,
        if a document is not stored, or if it contradicts another one; EngineError if it cannot be stored.
        """
        if KINDS.get(kind) != len(ids):
            known = ", ".join(f"{name} ({number})" for name, number in KINDS.items())
            raise InputError(f"{kind!r} of {len(ids)} documents is not a correction: known are {known}")
        _check_name(by)

        def entry(log: Sequence[Correction]) -> Correction:
            check_entry(log, kind, ids)
            self._check_documents(kind, ids)
            return Correction(len(log) + 1, kind, tuple(ids), by, self.clock(), before=self._sizes(ids))

        return self._add(entry)

    def undo(self, number: int, *, by: str) -> Correction:
        """Enter that a correction is undone, and carry that out. Raises InputError if there is none."""
        _check_name(by)

        def entry(log: Sequence[Correction]) -> Correction:
            ids = check_undo(log, number).ids
            return Correction(len(log) + 1, "undo", ids, by, self.clock(), number, self._sizes(ids))

        return self._carry_out(self._add(entry))

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
        members = self._touched(entry.ids)
        self.regroup(list(self.store.get(entry.ids).values()))
        after = self._sizes([record.id for record in members])
        self.store.corrected(entry.number, after)
        return replace(entry, after=after)

    def _add(self, made: Callable[[Sequence[Correction]], Correction]) -> Correction:
        """Add what is made of the log; make it again when somebody else has taken its number."""

        def attempt(again: bool) -> Correction:
            entry = made(self.store.corrections(fresh=True))
            self.store.correct(entry)
            return entry

        return commit_whole(attempt)

    def _check_documents(self, kind: CorrectionKind, ids: Sequence[str]) -> None:
        stored = self.store.get([id_ for id_ in ids if is_text(id_)])
        for id_ in ids:
            if id_ not in stored:
                raise InputError(
                    f"no document has the id {id_[:LONGEST]!r}: give ids as `dup-groups search --json` does"
                )
        if kind == "keep-together" and self._scopes(ids) > 1:
            a, b = ids
            raise InputError(
                f"{a!r} and {b!r} belong to different scopes (`group_by`), which no correction joins"
            )

    def _scopes(self, ids: Sequence[str]) -> int:
        """How many scopes that never come into one group these documents belong to."""
        documents = self.store.read(ids).values() if self.group_by else ()
        return len({scope_digest(document.content, self.group_by) for document in documents})

    def _touched(self, ids: Sequence[str]) -> list[Record]:
        """The oldest members of the groups that these documents are in; [] if none of them is stored."""
        labels = sorted({record.group for record in self.store.get(ids).values()})
        groups = sorted({*labels, *self.store.resolve(labels).values()})
        members = self.store.members(groups, limit=COUNTED) if groups else {}
        return list({record.id: record for records in members.values() for record in records}.values())

    def _sizes(self, ids: Sequence[str]) -> dict[str, int]:
        """The sizes of the groups that these documents are in now, by name: the first SHOWN of them."""
        now = self.store.get(ids).values() if ids else ()
        groups = sorted({record.group for record in now})[:SHOWN]
        members = self.store.members(groups, limit=COUNTED) if groups else {}
        return {group: len(records) for group, records in members.items()}


def is_text(id_: str) -> bool:
    """Whether UTF-8 can encode it, so that a store may have it."""
    return id_.encode("utf-8", "replace").decode() == id_


def _check_name(by: str) -> None:
    if not by.strip() or len(by) > LONGEST or not by.isprintable():
        raise InputError(f"a correction needs the name of who enters it: at most {LONGEST} characters")
