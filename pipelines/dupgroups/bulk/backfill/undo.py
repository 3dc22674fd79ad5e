"""Take back what a run wrote: documents get the `dup_` fields that they had, or have none again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from dupgroups.bulk.backfill.intermediate_files import Signed, late_documents, lines_of, load
from dupgroups.bulk.backfill.pace import Pace
from dupgroups.bulk.backfill.run_directory import RunDirectory
from dupgroups.bulk.backfill.runs import BATCH, Limits, Progress, complete, pool_for
from dupgroups.bulk.backfill.workers import all_restored, restore_part
from dupgroups.engines.base import Backlog
from dupgroups.engines.parts import ForeignIndex, Restore
from dupgroups.errors import InputError
from dupgroups.flow import Deduper, now
from dupgroups.flow.batches import batches
from dupgroups.model.config import Config


@dataclass(frozen=True, slots=True)
class Undone:
    """`restored` documents are as they were before; `changed` ids were written or deleted since, and left."""

    restored: int
    changed: tuple[str, ...]


def undo(
    directory: RunDirectory,
    index: ForeignIndex,
    config: Config,
    limits: Limits | None = None,
    *,
    progress: Progress = lambda step, done, total: None,
) -> Undone:
    """Take a run back. Raises InputError for a run of another index, and for one that is undone.

    Raises EngineError if the server refuses some of the documents. When it is killed, or has failed, it goes
    on where it stopped.
    """
    run = directory.run
    if (run.index, run.uuid) != index.identity:
        raise InputError(
            f"the run {run.name} is of another index than {index.identity[0]!r}: name its engine"
        )
    if run.step == "undone":
        raise InputError(f"the run {run.name} is undone already")
    limits = limits or Limits()
    with directory.locked(), pool_for(run, index, config, limits, path=directory.path) as pool:
        directory.at("undoing")
        complete(directory, pool, "restored", restore_part, partial(progress, "undoing"))
        undone = _restore_late(directory, index, Pace(limits.rate))
        _repair_names(directory, index, config, undone)
        directory.at(
            "undone", ended=now(), counts={"restored": undone.restored, "changed": len(undone.changed)}
        )
        if run.adopted and not index.grouped():
            index.release()  # the last, because a run that goes on needs the fields that the index keeps
    return undone


def _restore_late(directory: RunDirectory, index: ForeignIndex, pace: Pace) -> Undone:
    """What came of the parts, and of what is in none of them, because it was written after them: that is
    restored here.
    """
    late, restored, changed = late_documents(directory), 0, list[str]()
    for number in directory.numbers:
        summary = json.loads(directory.file(number, "restored").read_text(encoding="utf-8"))
        restored += summary["restored"]
        changed += summary["changed"]
        for id_ in summary["late"]:
            late.pop(id_, None)
    failures: dict[str, str] = {}
    for some in batches(late.values(), BATCH):
        pace(len(some))
        updated = index.restore([Restore(one.id, one.before, one.version, one.routing) for one in some])
        restored += len(updated.versions)
        changed += sorted(updated.overtaken)
        failures |= updated.failures
    all_restored(failures)
    return Undone(restored, tuple(changed))


def _repair_names(directory: RunDirectory, index: ForeignIndex, config: Config, undone: Undone) -> None:
    """Groups that have their former names again are led away no longer, and what led to them does so again;
    those of documents that were left as they are get the name of their oldest member.
    """
    led_away, led, former = {name for name, _ in index.redirects()}, directory.redirects, set[str]()
    if led_away or led:
        former = {signed.former[0] for signed in _all_signed(directory) if signed.former}
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


def _all_signed(directory: RunDirectory) -> Iterator[Signed]:
    for number in directory.numbers:
        path = directory.file(number, "signed")
        if path.exists():
            yield from map(load, lines_of(path))
