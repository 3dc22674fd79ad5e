"""A run over an index: how it is cut into parts, and the processes that work on them; and the one that takes
the groups out of an index of other tools.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone
from itertools import chain
from pathlib import Path

from dupgroups.bulk.processes import Pool, cores
from dupgroups.flow.deduper import now_microseconds
from dupgroups.model.config import Config
from dupgroups_es.backfill.run_directory import DEFAULT, Kind, Run, RunDirectory, folders
from dupgroups_es.backfill.workers import Job, Worker, ungroup_part
from dupgroups_es.sliced import SlicedClusterIndex

PART_DOCUMENTS = 2_000  # documents of a part at least
MAX_PARTS = 1_000  # parts of a run at most, about
BATCH_DOCUMENTS = 500  # documents of a request
MIN_PARALLEL_DOCUMENTS = 2_000  # documents for which starting processes costs more than it gains

Progress = Callable[[str, int, int], None]
"""Hears what is going on: the step, how many documents are done, of how many."""


def new_run(index: SlicedClusterIndex, methods: str) -> Run:
    """A run over all that is in an index now."""
    name, uuid = index.identity
    started, position = now_microseconds(), index.position()
    documents = index.store.count()
    stamp = datetime.fromtimestamp(started / 1e6, timezone.utc).strftime("%Y%m%d-%H%M%S")
    parts = tuple(index.parts(position, max(PART_DOCUMENTS, documents // MAX_PARTS)))
    return Run(
        name=f"{name}-{stamp}",
        index=name,
        uuid=uuid,
        methods=methods,
        started=started,
        position=position,
        parts=parts,
        documents=documents,
    )


def runs_of(above: Path, index: tuple[str, str]) -> list[RunDirectory]:
    """The runs over an index of this identity, the oldest first."""
    return [folder for folder in folders(above) if (folder.run.index, folder.run.uuid) == index]


def remove_runs(above: Path, index: tuple[str, str]) -> None:
    """Give up the runs over an index. Raises InputError while a process works on one."""
    for folder in runs_of(above, index):
        with folder.lock():
            folder.remove()


@dataclass(frozen=True, slots=True)
class Limits:
    """The resources that a run may use: `batch` documents a request, `rate` documents a second that are read,
    and that are written, at most (None is no limit), and `processes` (None takes all cores).
    """

    batch: int = BATCH_DOCUMENTS
    rate: float | None = None
    processes: int | None = None


def pool_for(
    run: Run, index: SlicedClusterIndex, config: Config, limits: Limits, *, path: Path = DEFAULT
) -> Pool[Worker]:
    """The processes that work on the parts of a run, whose files are in `path`: this one alone if there is
    little to do.
    """
    wanted = limits.processes or (1 if run.documents < MIN_PARALLEL_DOCUMENTS else cores())
    reopen = index.reopen if wanted > 1 else lambda: index
    share = limits.rate / wanted if limits.rate else None
    return Pool(wanted, Worker, Job(reopen, config, path, run.started, limits.batch, share))


def complete(
    directory: RunDirectory,
    pool: Pool[Worker],
    kind: Kind,
    function: Callable[[Worker, int], int],
    progress: Callable[[int, int], None],
) -> None:
    """Do what is missing of this kind; `function` does a part by its number, and counts its documents."""
    run, missing = directory.run, directory.missing(kind)
    done = run.documents * directory.count_done(kind) // max(1, len(run.parts))
    progress(done, run.documents)
    for documents in pool.map(function, missing):
        done += documents
        progress(done, run.documents)


@dataclass(frozen=True, slots=True)
class Undone:
    """`restored` documents lost their `dup_` fields; `left` ones have them, as others wrote meanwhile."""

    restored: int
    left: int


def undo(
    index: SlicedClusterIndex,
    config: Config | None = None,
    above: Path = DEFAULT,
    limits: Limits | None = None,
    *,
    progress: Progress = lambda step, done, total: None,
) -> Undone:
    """Take the groups out of an index, visibly, and end its runs. It is no longer adopted, unless documents
    are left.

    Raises EngineError if the server refuses a document; the next call goes on from there.
    """
    limits = limits or Limits()
    remove_runs(above, index.identity)
    run = new_run(index, methods="")
    restored = left = done = 0
    with pool_for(run, index, config or Config(), limits) as pool:
        for documents, ungrouped, overtaken in chain.from_iterable(pool.map(ungroup_part, run.parts)):
            restored, left, done = restored + ungrouped, left + overtaken, done + documents
            progress("undoing", done, run.documents)
    index.store.refresh()
    if not left:
        index.unadopt()
    return Undone(restored, left)
