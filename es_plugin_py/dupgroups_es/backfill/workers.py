"""The work of processes on a part of an index: sign it, write it, or take its groups out."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupgroups.bulk.offline.corpus import Columns
from dupgroups.bulk.resign import Pace
from dupgroups.flow.method_set import MethodSet
from dupgroups.flow.signing import sign_all
from dupgroups.grouping.grouping_rule import GroupingRule
from dupgroups.model import Record, State
from dupgroups.model.config import Config
from dupgroups.text.batches import batches
from dupgroups_es.backfill.intermediate_files import (
    Assignment,
    Signed,
    dump,
    lines_of,
    load,
    load_assignment,
    write_lines,
)
from dupgroups_es.backfill.run_directory import RunDirectory
from dupgroups_es.positions import Version
from dupgroups_es.sliced import ShardSlice, SlicedClusterIndex, Stored, Update, Updated


@dataclass(frozen=True)
class Job:
    """Everything that a process needs to begin. `rate`: documents a second for this process, None for no
    limit."""

    open: Callable[[], SlicedClusterIndex]
    config: Config
    path: Path
    started: int
    batch: int
    rate: float | None = None


class Worker(MethodSet):
    """The tools of a process: the methods, and the index."""

    def __init__(self, job: Job) -> None:
        super().__init__(job.config)
        self.job = job
        self.index = job.open()
        self.directory = RunDirectory(job.path)
        self.pace = Pace(job.rate)


# -- signing


def sign_part(worker: Worker, number: int) -> int:
    """Read and sign a part; how many documents it has."""
    part, documents = worker.directory.run.parts[number], 0
    with worker.directory.writing(number, "signed") as file:
        for stored in worker.index.read_slice(part, worker.job.batch):
            write_lines(file, map(dump, _signed_anew(worker, stored)))
            documents += len(stored)
            worker.pace(len(stored))
    return documents


def _signed_anew(worker: Worker, batch: Sequence[Stored]) -> list[Signed]:
    """The documents with signatures of the current methods."""
    documents = sign_all([stored.page for stored in batch], worker)
    return [
        _sign_stored(stored, document.record, worker.job.started)
        for stored, document in zip(batch, documents, strict=True)
    ]


def _sign_stored(stored: Stored, record: Record, started: int) -> Signed:
    """`started`: when a document that has changed is seen."""
    former, rest = stored.record, (stored.routing, stored.order)
    if former is None:
        return Signed(record, stored.version, None, False, *rest)
    record = replace(record, first_seen=former.first_seen, last_seen=former.last_seen)
    same = replace(record, group=former.group) == former
    record = record if same else replace(record, last_seen=started)
    return Signed(record, stored.version, (former.group, former.is_head), same, *rest)


def columns_of_part(worker: Worker, work: tuple[int, NDArray[np.int64]]) -> Columns:
    """The documents of a part, of these ages, as grouping reads them."""
    number, ages = work
    signed = map(load, lines_of(worker.directory.file(number, "signed")))
    aged = zip(signed, ages.tolist(), strict=True)
    records = [replace(document.record, first_seen=age) for document, age in aged]
    order = GroupingRule.of(worker.job.config).order
    return Columns.of(records, [order(record)[0] for record in records])


# -- writing


def write_part(worker: Worker, number: int) -> int:
    """Write what changes of a part; how many documents it has."""
    states: Counter[str] = Counter()
    failures: dict[str, str] = {}
    written = 0
    with worker.directory.writing(number, "written") as file:
        for batch in batches(read_placed(worker.directory, number), worker.job.batch):
            changes = [
                Update(record, signed.version, signed.routing)
                for signed, record in batch
                if _changes(signed, record)
            ]
            updated = worker.index.update(changes)
            failures |= updated.failures
            written += len(updated.versions)
            versions = [updated.versions.get(record.id) for _, record in batch]
            states.update(_states(batch, updated))
            write_lines(file, map(json.dumps, versions))
            worker.pace(len(changes))
        json.dump({"states": states, "failures": failures, "written": written}, file)
    return states.total()


def read_placed(directory: RunDirectory, number: int) -> Iterator[tuple[Signed, Record]]:
    """The documents of a part, and the record that each of them gets."""
    signed = map(load, lines_of(directory.file(number, "signed")))
    places = map(load_assignment, lines_of(directory.file(number, "grouped")))
    for document, place in zip(signed, places, strict=True):
        yield document, _record(document, place)


def _record(signed: Signed, place: Assignment) -> Record:
    return replace(
        signed.record,
        group=place.group,
        head=place.head,
        first_seen=place.first_seen,
        last_seen=signed.record.last_seen or place.first_seen,
        ties=place.ties,
    )


def _changes(signed: Signed, record: Record) -> bool:
    return not signed.same or signed.former != (record.group, record.head)


def _states(batch: Sequence[tuple[Signed, Record]], updated: Updated) -> Iterator[str]:
    """The results of the documents; those that others changed meanwhile come later, and count then."""
    for signed, record in batch:
        if record.id in updated.failures:
            yield "failed"
        elif record.id not in updated.overtaken:
            yield state_of(signed, record)


def state_of(signed: Signed, record: Record) -> State:
    """The state of a document that gets this record."""
    if not _changes(signed, record):
        return "unchanged"
    if signed.former:
        return "updated"
    if record.group != record.id:
        return "joined"
    return "new" if record.signature else "too_short" if record.length else "not_article"


def versions_of(directory: RunDirectory, number: int) -> list[Version | None]:
    """The version that each document of a part was given, None where nothing was written."""
    *lines, _ = lines_of(directory.file(number, "written"))
    versions = map(json.loads, lines)
    return [(version[0], version[1]) if version else None for version in versions]


def summary_of(directory: RunDirectory, number: int) -> dict[str, Any]:
    """The result of a part: its `states`, `failures`, and how many documents were `written`."""
    *_, last = lines_of(directory.file(number, "written"))
    summary: dict[str, Any] = json.loads(last)
    return summary


# -- undoing


def ungroup_part(worker: Worker, part: ShardSlice) -> list[tuple[int, int, int]]:
    """Take the `dup_` fields out of the documents of a part; see `SlicedClusterIndex.ungroup`."""
    done = []
    for some in worker.index.ungroup(part, worker.job.batch):
        done.append(some)
        worker.pace(some[1])
    return done
