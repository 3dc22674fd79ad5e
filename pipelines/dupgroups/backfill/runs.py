"""A run over an index: how it is cut into parts, and the processes that work on them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path

from dupgroups.backfill.folder import Folder, Run, folders
from dupgroups.backfill.workers import Job, Tools
from dupgroups.config import Config
from dupgroups.engines.parts import PartedIndex
from dupgroups.flow import now
from dupgroups.processes import Pool, cores

PART = 2_000  # documents of a part at least
PARTS = 1_000  # parts of a run at most, about
BATCH = 500  # documents of a request
FEW = 2_000  # documents for which starting processes costs more than it gains

Progress = Callable[[str, int, int], None]
"""Hears what is going on: the step, how many documents are done, of how many."""


def new_run(index: PartedIndex, methods: str, *, adopts: bool) -> Run:
    """A run over all that is in an index now."""
    name, uuid = index.identity
    started, position = now(), index.position()
    documents = index.count()
    stamp = datetime.fromtimestamp(started / 1e6, timezone.utc).strftime("%Y%m%d-%H%M%S")
    parts = tuple(index.parts(position, max(PART, documents // PARTS)))
    return Run(
        name=f"{name}-{stamp}",
        engine=index.name,
        index=name,
        uuid=uuid,
        methods=methods,
        started=started,
        position=position,
        parts=parts,
        adopted=adopts,
        documents=documents,
    )


def runs_of(above: Path, index: tuple[str, str]) -> list[Folder]:
    """The runs over an index of this identity, the oldest first."""
    return [folder for folder in folders(above) if (folder.run.index, folder.run.uuid) == index]


def pool_for(
    folder: Folder,
    index: PartedIndex,
    config: Config,
    batch: int = BATCH,
    rate: float | None = None,
    processes: int | None = None,
) -> Pool[Tools]:
    """The processes that work on the parts of a run: this one alone if there is little to do."""
    run = folder.run
    wanted = processes or (1 if run.documents < FEW else cores())
    reopen = index.reopen if wanted > 1 else lambda: index
    share = rate / wanted if rate else None
    job = Job(reopen, config, folder.path, run.started, batch, share)
    return Pool(wanted, Tools, job)
