"""Take back a run that copied an index: the alias leads to the index again, and the copy is deleted."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass

from dupgroups.backfill.folder import Folder, Run
from dupgroups.engines.copies import IndexCopy
from dupgroups.errors import InputError
from dupgroups.flow import now


@dataclass(frozen=True, slots=True)
class UndoneCopy:
    """`alias` leads to the `index` again, or nowhere if it did so before; "" if it never led to the copy.
    `kept` is the reason why the copy `into` was not deleted, "" if it was.
    """

    index: str
    into: str
    alias: str
    kept: str


def undo_copy(folder: Folder, copy: IndexCopy) -> UndoneCopy:
    """Take a run back. Raises InputError if it is undone, and if the index that it copied is gone.

    When it is killed it goes on where it stopped.
    """
    run = folder.run
    if run.step == "undone":
        raise InputError(f"the run {run.name} is undone already")
    if copy.identity != (run.index, run.uuid):
        raise InputError(f"{run.index!r}, which the run {run.name} copied, is another index now")
    with folder.held():
        folder.at("undoing")
        alias = run.alias if run.alias in copy.aliases(run.into) else ""
        if alias and run.moved:
            copy.switch(alias, back=True)
        elif alias:
            copy.release(alias)
        kept = _reason_to_keep(run, copy)
        if not kept:
            copy.drop()
        folder.at("undone", ended=now())
    return UndoneCopy(run.index, run.into, alias, kept)


def _reason_to_keep(run: Run, copy: IndexCopy) -> str:
    """Why a copy is not deleted, in a few words; "" if nothing would be lost with it."""
    mark = copy.mark()
    if mark is None:
        return ""
    if mark != run.mark:
        return "this run did not make it"
    if aliases := copy.aliases(run.into):
        return f"{', '.join(aliases)} leads to it"
    with closing(copy.opener()()) as target:
        written = bool(run.filled) and target.position() != run.filled
    return "it has been written since" if written else ""
