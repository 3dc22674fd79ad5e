"""Corrections of people, as they are entered into the log of a store."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from dupgroups.engines.base import Store
from dupgroups.errors import InputError
from dupgroups.flow.commit_loop import commit_whole
from dupgroups.grouping.constraints import check_entry, check_undo
from dupgroups.methods.signatures.wrappers import scope_digest
from dupgroups.model import PROGRAM, Correction, CorrectionKind

MAX_NAME_CHARS = 100  # characters of a name, and of an unknown id that is shown

Added = TypeVar("Added", Correction, "Correction | None")

KINDS: dict[str, int] = {"keep-apart": 2, "keep-together": 2, "head": 1}
"""The kinds of corrections, and how many documents each is about."""


@dataclass(frozen=True, slots=True)
class Corrector:
    """Enters corrections. `clock` gives microseconds since 1970; documents whose values of the fields
    `group_by` differ are not kept together.
    """

    store: Store
    clock: Callable[[], int]
    group_by: tuple[str, ...] = ()

    def enter(self, kind: CorrectionKind, ids: Sequence[str], *, by: str) -> Correction:
        """Add a correction to the log and return it. Raises InputError, without writing, if it is malformed,
        if a document is not stored, or if it contradicts another one; EngineError if it cannot be stored.
        """
        if KINDS.get(kind) != len(ids):
            known = ", ".join(f"{name} ({number})" for name, number in KINDS.items())
            raise InputError(f"{kind!r} of {len(ids)} documents is not a correction: use {known}")
        _check_name(by)

        def make(log: Sequence[Correction]) -> Correction:
            marks = self._check_documents(kind, ids)
            check_entry(log, kind, ids, marks)
            return Correction(len(log) + 1, kind, tuple(ids), by, self.clock(), marks=marks)

        return add_entry(self.store, make)

    def undo(self, number: int, *, by: str) -> Correction:
        """Add to the log that a correction is undone. Raises InputError if there is none."""
        _check_name(by)

        def make(log: Sequence[Correction]) -> Correction:
            return Correction(len(log) + 1, "undo", check_undo(log, number).ids, by, self.clock(), number)

        return add_entry(self.store, make)

    def news(self) -> list[Correction]:
        """The entries that were made by others since this process read the log, and those of somebody who
        died before they were carried out.
        """
        known = {entry.number for entry in self.store.corrections()}
        log = self.store.corrections(fresh=True)
        return [entry for entry in log if not entry.carried_out or entry.number not in known]

    def _check_documents(self, kind: CorrectionKind, ids: Sequence[str]) -> tuple[str, ...]:
        """The marks of the two texts that are kept apart or together, and how their copies are looked up."""
        stored = self.store.get([id_ for id_ in ids if is_text(id_)])
        for id_ in ids:
            if id_ not in stored:
                shown = repr(id_[:MAX_NAME_CHARS])
                raise InputError(
                    f"no document has the id {shown}: give ids as `dup-groups search --json` does"
                )
        documents = self.store.read(ids).values() if kind == "keep-together" and self.group_by else ()
        if len({scope_digest(document.content, self.group_by) for document in documents}) > 1:
            named = " and ".join(map(repr, ids))
            raise InputError(f"{named} belong to different scopes (`group_by`), which no correction joins")
        pair = [stored[id_] for id_ in ids] if len(ids) > 1 else []
        return (*(one.mark for one in pair), *(one.signature.look_up for one in pair))


def add_entry(store: Store, make: Callable[[Sequence[Correction]], Added]) -> Added:
    """Add to the log the entry that `make` makes of it: the next one, or the one after it when somebody else
    has taken its number. Nothing is added where it makes None.
    """

    def attempt(_: bool) -> Added:
        entry = make(store.corrections(fresh=True))
        if entry:
            store.correct(entry)
        return entry

    return commit_whole(attempt)


def is_text(id_: str) -> bool:
    """Whether UTF-8 can encode it, so that a store may have it."""
    return id_.encode("utf-8", "replace").decode() == id_


def _check_name(by: str) -> None:
    if not by.strip() or len(by) > MAX_NAME_CHARS or not by.isprintable():
        raise InputError(f"a correction needs the name of its author: at most {MAX_NAME_CHARS} characters")
    if by == PROGRAM:
        raise InputError(f"{by!r} is what the program calls itself: give the name of a person")
