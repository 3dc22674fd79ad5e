"""Take back what a run wrote: documents get the `dup_` fields that they had, or have none again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dupgroups.backfill.intermediate_files import Signed, lines_of, load
from dupgroups.backfill.late_notes import late_documents
from dupgroups.backfill.pace import Pace
from dupgroups.backfill.run_directory import RunDirectory
from dupgroups.backfill.runs import BATCH, Progress, pool_for
from dupgroups.backfill.workers import all_restored, restore_part
from dupgroups.batches import batches
from dupgroups.config import Config
from dupgroups.engines.base import Backlog
from dupgroups.engines.parts import ForeignIndex, Restore
from dupgroups.errors import InputError
from dupgroups.flow import Deduper, now


@dataclass(frozen=True, slots=True)
class Undone:
    """`restored` documents are as they were before; `changed` ids were written or deleted since, and left."""

    restored: int
    changed: tuple[str, ...]


def undo(
    folder: RunDirectory,
    index: ForeignIndex,
    config: Config,
    *,
    batch: int = BATCH,
    rate: float | None = None,
    processes: int | None = None,
    progress: Progress = lambda step, done, total: None,
) -> Undone:
    """Take a run back. Raises InputError for a run of another index, and for one that is undone.

    Raises EngineError if the server refuses some of the documents. When it is killed, or has failed, it goes
    on where it stopped.
    """
    run = folder.run
    if (run.index, run.uuid) != index.identity:
        raise InputError(
            f"the run {run.name} is of another index than {index.identity[0]!r}: name its engine"
        )
    if run.step == "undone":
        raise InputError(f"the run {run.name} is undone already")
    pool = pool_for(run, index, config, batch, rate, processes, folder=folder.path)
    with folder.held(), pool:
        folder.at("undoing")
        done = 0
        for documents in pool.map(restore_part, folder.missing("restored")):
            done += documents
            progress("undoing", done, run.documents)
        undone = _late(folder, index, _summed(folder), Pace(rate))
        _mend(folder, index, config, undone)
        folder.at("undone", ended=now(), counts={"restored": undone.restored, "changed": len(undone.changed)})
        if run.adopted and not index.grouped():
            index.release()  # the last, because a run that goes on needs the fields that the index keeps
    return undone


def _summed(folder: RunDirectory) -> Undone:
    restored, changed = 0, []
    for number in range(len(folder.run.parts)):
        summary = json.loads(folder.file(number, "restored").read_text(encoding="utf-8"))
        restored += summary["restored"]
        changed += summary["changed"]
    return Undone(restored, tuple(changed))


def _late(folder: RunDirectory, index: ForeignIndex, undone: Undone, pace: Pace) -> Undone:
    """Restore what is in no part, because it was written after them."""
    late = late_documents(folder)
    for number in range(len(folder.run.parts)):
        for id_ in json.loads(folder.file(number, "restored").read_text(encoding="utf-8"))["late"]:
            late.pop(id_, None)
    restored, changed = undone.restored, list(undone.changed)
    failures: dict[str, str] = {}
    for some in batches(late.values(), BATCH):
        pace(len(some))
        updated = index.restore([Restore(one.id, one.before, one.version, one.routing) for one in some])
        restored += len(updated.versions)
        changed += sorted(updated.overtaken)
        failures |= updated.failures
    all_restored(failures)
    return Undone(restored, tuple(changed))


def _mend(folder: RunDirectory, index: ForeignIndex, config: Config, undone: Undone) -> None:
    """Groups that have their former names again are led away no longer, and what led to them does so again;
    those of documents that were left as they are get the name of their oldest member.
    """
    led_away, led, former = {name for name, _ in index.redirects()}, folder.redirects, set[str]()
    if led_away or led:
        former = {signed.former[0] for signed in _all_signed(folder) if signed.former}
        index.rename({}, sorted(former & led_away))
    mark = index.mark()
    deduper = Deduper(index, config)
    for ids in batches(undone.changed, BATCH):
        deduper.regroup_named(sorted(_groups(index, ids)))
    live = former.union(*(_groups(index, ids) for ids in batches(undone.changed, BATCH)))
    if again := {name: to for name, to in led.items() if to in former and name not in live}:
        index.rename(again, [])
    index.settled(Backlog((), mark))


def _groups(index: ForeignIndex, ids: Sequence[str]) -> set[str]:
    return {record.group for record in index.get(ids).values()}


def _all_signed(folder: RunDirectory) -> Iterator[Signed]:
    for number in range(len(folder.run.parts)):
        path = folder.file(number, "signed")
        if path.exists():
            yield from map(load, lines_of(path))
