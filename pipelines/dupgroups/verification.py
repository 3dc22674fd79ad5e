"""Whether the groups of an adopted index are those that grouping all of its documents at once gives."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from dupgroups.backfill.assign import assign, placed_parts
from dupgroups.backfill.bulk import Progress, new_run, pool_for
from dupgroups.backfill.folder import Folder
from dupgroups.backfill.workers import read_part
from dupgroups.config import Config
from dupgroups.engines.parts import PartedIndex
from dupgroups.grouping import Corrections
from dupgroups.method_set import MethodSet
from dupgroups.model import Check
from dupgroups.web.wording import counted

NAMED = 3  # documents that a line names
CURE = "run `dup-groups backfill` once more, and `dup-groups settle --all` if that changes nothing"


def verify(
    index: PartedIndex,
    config: Config | None = None,
    *,
    above: Path | None = None,
    processes: int | None = None,
    progress: Progress = lambda step, done, total: None,
) -> list[Check]:
    """One line for each rule; nothing is written. `above` is where temporary files go.

    Reads every document with all processes, and keeps no more of them in memory than a run over the index
    does. Raises EngineError when it cannot be read.
    """
    config = config or Config()
    with tempfile.TemporaryDirectory(prefix="dup-groups-verify-", dir=above) as path:
        folder = Folder.create(Path(path), new_run(index, methods="", adopts=False))
        with pool_for(folder, index, config, processes=processes) as pool:
            parts, done = list(enumerate(folder.run.parts)), 0
            for documents in pool.map(read_part, parts):
                done += documents
                progress("reading", done, folder.run.documents)
            corrections = Corrections.of(index.corrections(fresh=True))
            assign(folder, pool, config, corrections, ties=False)
        return [_signed(index, config, done), _grouped(folder)]


def _signed(index: PartedIndex, config: Config, read: int) -> Check:
    documents, missing = index.count(), index.ungrouped(sorted(MethodSet(config).schemes))
    if missing or read < documents:
        detail = f"{missing:,} of {counted(documents, 'document')} are not signed as configured: {CURE}"
        return Check("signatures", False, detail)
    return Check("signatures", True, f"all of {counted(documents, 'document')} have one")


def _grouped(folder: Folder) -> Check:
    wrong = list(_misplaced(folder))
    if not wrong:
        return Check("groups", True, "every document is where grouping all of them at once puts it")
    some = ", ".join(wrong[:NAMED]) + (", ..." if len(wrong) > NAMED else "")
    return Check(
        "groups",
        False,
        f"{counted(len(wrong), 'document')} in another group, or with another head, than grouping all "
        f"of them at once gives ({some}): {CURE}",
    )


def _misplaced(folder: Folder) -> Iterator[str]:
    for signed, place in placed_parts(folder):
        if signed.former != (place.group, place.head):
            yield signed.record.id
