"""What the processes of a bulk run do with a part: sign it, write it, or undo it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupgroups.audit import StoredColumns
from dupgroups.backfill.intermediate_files import (
    Place,
    Signed,
    dump,
    lines_of,
    load,
    load_place,
    write_lines,
)
from dupgroups.backfill.late_notes import Late, late_documents
from dupgroups.backfill.pace import Pace
from dupgroups.backfill.run_directory import RunDirectory
from dupgroups.batches import batches
from dupgroups.config import Config
from dupgroups.engines.parts import ForeignIndex, Restore, ShardSlice, Stored, Update, Updated, Version
from dupgroups.errors import EngineError
from dupgroups.grouping import Rule
from dupgroups.method_set import MethodSet
from dupgroups.model import Record, State
from dupgroups.offline import Columns
from dupgroups.signing import OnlineTemplates, extract_document, sign_all


@dataclass(frozen=True)
class Job:
    """What a process needs to begin. `rate`: documents a second for this process, None for no limit."""

    open: Callable[[], ForeignIndex]
    config: Config
    folder: Path
    started: int
    batch: int
    rate: float | None = None


class Tools:
    """What a process works with."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.index = job.open()
        self.methods = MethodSet(job.config)
        self.folder = RunDirectory(job.folder)
        self.pace = Pace(job.rate)
        self.templates = OnlineTemplates.of(job.config, self.methods)

    @cached_property
    def late(self) -> dict[str, Late]:
        """The documents that the run changed after its parts."""
        return late_documents(self.folder)


# -- signing


def sign_part(tools: Tools, work: tuple[int, ShardSlice]) -> int:
    """Read and sign a part; how many documents it has."""
    number, part = work
    documents = 0
    with tools.folder.writing(number, "signed") as file:
        for stored in tools.index.stored(part, tools.job.batch):
            write_lines(file, map(dump, _signed_anew(tools, stored)))
            documents += len(stored)
            tools.pace(len(stored))
    return documents


def _signed_anew(tools: Tools, batch: Sequence[Stored]) -> list[Signed]:
    """The documents with signatures of the current methods."""
    pages = [stored.page for stored in batch]
    if tools.templates:
        documents = tools.templates.sign([extract_document(page, tools.methods) for page in pages])
    else:
        documents = sign_all(pages, tools.methods)
    return [
        _signed(stored, document.record, tools.job.started)
        for stored, document in zip(batch, documents, strict=True)
    ]


def _signed(stored: Stored, record: Record, started: int) -> Signed:
    """`started`: when a document that has changed is seen."""
    former, rest = stored.record, (stored.routing, stored.order, stored.before)
    if former is None:
        return Signed(record, stored.version, None, False, *rest)
    record = replace(record, first_seen=former.first_seen, last_seen=former.last_seen)
    same = replace(record, group=former.group) == former
    record = record if same else replace(record, last_seen=started)
    return Signed(record, stored.version, (former.group, former.is_head), same, *rest)


def columns_of_part(tools: Tools, work: tuple[int, NDArray[np.int64]]) -> Columns:
    """The documents of a part, of these ages, as grouping reads them."""
    number, ages = work
    signed = map(load, lines_of(tools.folder.file(number, "signed")))
    columns = Columns.of([document.record for document in signed])
    return replace(columns, ages=ages)


# -- checking


def read_part(tools: Tools, part: ShardSlice) -> StoredColumns:
    """The documents of a part that have a group, as they are stored."""
    stored = chain.from_iterable(tools.index.stored(part, tools.job.batch, pages=False))
    records = [one.record for one in stored if one.record]
    return StoredColumns.of(records, Rule.of(tools.job.config), tools.methods.schemes)


# -- writing


def write_part(tools: Tools, number: int) -> int:
    """Write what changes of a part; how many documents it has."""
    states: Counter[str] = Counter()
    failures: dict[str, str] = {}
    written = 0
    with tools.folder.writing(number, "written") as file:
        for batch in batches(placed(tools.folder, number), tools.job.batch):
            changes = [
                Update(record, signed.version, signed.routing)
                for signed, record in batch
                if _changes(signed, record)
            ]
            updated = tools.index.update(changes)
            failures |= updated.failures
            written += len(updated.versions)
            versions = [updated.versions.get(record.id) for _, record in batch]
            states.update(_states(batch, updated))
            write_lines(file, map(json.dumps, versions))
            tools.pace(len(changes))
        json.dump({"states": states, "failures": failures, "written": written}, file)
    return states.total()


def placed(folder: RunDirectory, number: int) -> Iterator[tuple[Signed, Record]]:
    """The documents of a part, and the record that each of them gets."""
    signed = map(load, lines_of(folder.file(number, "signed")))
    places = map(load_place, lines_of(folder.file(number, "grouped")))
    for document, place in zip(signed, places, strict=True):
        yield document, _record(document, place)


def _record(signed: Signed, place: Place) -> Record:
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
    """What became of the documents; those that others changed meanwhile come later, and count then."""
    for signed, record in batch:
        if record.id in updated.failures:
            yield "failed"
        elif not _changes(signed, record):
            yield "unchanged"
        elif record.id not in updated.overtaken:
            yield _state(signed, record)


def _state(signed: Signed, record: Record) -> State:
    if signed.former:
        return "updated"
    if record.group != record.id:
        return "joined"
    return "new" if record.signature else "too_short"


def versions_of(folder: RunDirectory, number: int) -> list[Version | None]:
    """The version that each document of a part was given, None where nothing was written."""
    *lines, _ = lines_of(folder.file(number, "written"))
    versions = map(json.loads, lines)
    return [(version[0], version[1]) if version else None for version in versions]


def summary_of(folder: RunDirectory, number: int) -> dict[str, Any]:
    """What became of a part: its `states`, `failures`, and how many documents were `written`."""
    *_, last = lines_of(folder.file(number, "written"))
    summary: dict[str, Any] = json.loads(last)
    return summary


# -- undoing


def restore_part(tools: Tools, number: int) -> int:
    """Give the documents of a part back what they had; how many documents it has.

    Raises EngineError if the server refuses some of them; the part is not done then.
    """
    late = tools.late
    restored, changed, met = 0, [], []
    failures: dict[str, str] = {}
    with tools.folder.writing(number, "restored") as file:
        for batch in batches(_written(tools, number), tools.job.batch):
            met += [signed.record.id for signed, _ in batch if signed.record.id in late]
            documents = [_restore(signed, version, late) for signed, version in batch]
            updated = tools.index.restore([document for document in documents if document])
            restored += len(updated.versions)
            changed += sorted(updated.overtaken)
            failures |= updated.failures
            tools.pace(len(batch))
        all_restored(failures)
        json.dump({"restored": restored, "changed": changed, "late": met}, file)
    return restored + len(changed)


def all_restored(failures: Mapping[str, str]) -> None:
    """Raises EngineError if the server has refused to restore some documents, by id with the reasons."""
    if failures:
        id_, reason = next(iter(failures.items()))
        raise EngineError(
            f"{len(failures):,} documents could not be given back what they had, such as {id_} ({reason}); "
            "when the server takes them, undo the run once more, and it goes on from here",
            failures=failures,
        )


def _written(tools: Tools, number: int) -> Iterator[tuple[Signed, Version | None]]:
    """The documents of a part with the versions that they were given, noted or not; none of a part that is
    not signed yet, or was not changed.
    """
    if not tools.folder.file(number, "signed").exists():
        return
    if tools.folder.file(number, "written").exists():
        signed = map(load, lines_of(tools.folder.file(number, "signed")))
        yield from zip(signed, versions_of(tools.folder, number), strict=True)
    elif tools.folder.file(number, "grouped").exists():
        for batch in batches(placed(tools.folder, number), tools.job.batch):
            updates = [Update(record, signed.version, signed.routing) for signed, record in batch]
            versions = tools.index.versions_of(updates)
            yield from ((signed, versions.get(record.id)) for signed, record in batch)


def _restore(signed: Signed, version: Version | None, late: Mapping[str, Late]) -> Restore | None:
    """None for a document that the run has not written."""
    id_ = signed.record.id
    version = late[id_].version if id_ in late else version
    return Restore(id_, signed.before, version, signed.routing) if version else None
