"""What the processes of a bulk run do with a part: sign it, write it, or undo it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupgroups.backfill.folder import Folder
from dupgroups.backfill.late_file import Late, late_documents
from dupgroups.backfill.pace import Pace
from dupgroups.backfill.spill import (
    Place,
    Signed,
    dump,
    lines_of,
    load,
    load_place,
    packed_lines_of,
    write_lines,
)
from dupgroups.batches import batches
from dupgroups.config import Config
from dupgroups.engines.parts import Part, PartedIndex, Restore, Stored, Update, Updated, Version
from dupgroups.errors import EngineError
from dupgroups.method_set import MethodSet
from dupgroups.model import Record, State
from dupgroups.offline import Columns
from dupgroups.signing import sign_all


@dataclass(frozen=True)
class Job:
    """What a process needs to begin. `rate`: documents a second for this process, None for no limit.
    `open_copy` opens the index that the documents are written into, if that is another one.
    """

    open: Callable[[], PartedIndex]
    config: Config
    folder: Path
    started: int
    batch: int
    rate: float | None = None
    open_copy: Callable[[], PartedIndex] | None = None


class Tools:
    """What a process works with."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.index = job.open()
        self.methods = MethodSet(job.config)
        self.folder = Folder(job.folder)
        self.pace = Pace(job.rate)

    @cached_property
    def written(self) -> PartedIndex:
        """The index that is written."""
        return self.job.open_copy() if self.job.open_copy else self.index

    @cached_property
    def late(self) -> dict[str, Late]:
        """The documents that the run changed after its parts."""
        return late_documents(self.folder)


# -- signing


def sign_part(tools: Tools, work: tuple[int, Part]) -> int:
    """Read and sign a part; how many documents it has."""
    return _spill(tools, work, _signed_anew, pages=True)


def read_part(tools: Tools, work: tuple[int, Part]) -> int:
    """Read a part with the signatures that it has; how many documents have one."""
    return _spill(tools, work, _as_stored, pages=False)


def _spill(
    tools: Tools,
    work: tuple[int, Part],
    sign: Callable[[Tools, Sequence[Stored]], list[Signed]],
    *,
    pages: bool,
) -> int:
    number, part = work
    documents, whole = 0, tools.job.open_copy is not None
    packing = tools.folder.packing(number) if whole else nullcontext()
    with tools.folder.writing(number, "signed") as file, packing as rest:  # which is there first
        for stored in tools.index.stored(part, tools.job.batch, pages=pages, whole=whole):
            signed = sign(tools, stored)
            write_lines(file, map(dump, signed))
            if rest:
                write_lines(rest, (json.dumps(one.rest) for one in stored))
            documents += len(signed)
            tools.pace(len(stored))
    return documents


def _signed_anew(tools: Tools, batch: Sequence[Stored]) -> list[Signed]:
    """The documents with signatures of the current methods."""
    documents = sign_all([stored.page for stored in batch], tools.methods)
    return [
        _signed(stored, document.record, tools.job.started)
        for stored, document in zip(batch, documents, strict=True)
    ]


def _as_stored(tools: Tools, batch: Sequence[Stored]) -> list[Signed]:
    """The documents with the signatures that they have; those with none that can be judged are left out."""
    return [
        _signed(stored, stored.record, tools.job.started)
        for stored in batch
        if stored.record is not None and stored.record.signature.scheme in tools.methods.schemes
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


# -- writing


def write_part(tools: Tools, number: int) -> int:
    """Write what changes of a part; how many documents it has."""
    states: Counter[str] = Counter()
    failures: dict[str, str] = {}
    written = 0
    with tools.folder.writing(number, "written") as file:
        for rows in batches(_to_write(tools, number), tools.job.batch):
            batch = [(signed, record) for signed, record, _ in rows]
            changes = [
                Update(record, signed.version, signed.routing, rest)
                for signed, record, rest in rows
                if rest is not None or _changes(signed, record)
            ]
            updated = tools.written.update(changes)
            failures |= updated.failures
            written += len(updated.versions)
            versions = [updated.versions.get(record.id) for _, record in batch]
            states.update(_states(batch, updated))
            write_lines(file, map(json.dumps, versions))
            tools.pace(len(changes))
        json.dump({"states": states, "failures": failures, "written": written}, file)
    tools.folder.file(number, "rest.gz").unlink(missing_ok=True)
    return states.total()


def _to_write(tools: Tools, number: int) -> Iterator[tuple[Signed, Record, Mapping[str, Any] | None]]:
    """The documents of a part, their records, and for a copy their other fields."""
    copies = tools.job.open_copy is not None
    rest = packed_lines_of(tools.folder.file(number, "rest.gz")) if copies else repeat(None)
    for (signed, record), other in zip(placed(tools.folder, number), rest, strict=copies):
        yield signed, record, other


def placed(folder: Folder, number: int) -> Iterator[tuple[Signed, Record]]:
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


def versions_of(folder: Folder, number: int) -> list[Version | None]:
    """The version that each document of a part was given, None where nothing was written."""
    *lines, _ = lines_of(folder.file(number, "written"))
    versions = map(json.loads, lines)
    return [(version[0], version[1]) if version else None for version in versions]


def summary_of(folder: Folder, number: int) -> dict[str, Any]:
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
    """The documents of a part with the versions that they were given, noted or not."""
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
