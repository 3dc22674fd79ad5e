"""Take the groups out of an index of other tools: its documents have no `dup_` fields again."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from dupgroups.model.config import Config
from dupgroups_es.backfill.run_directory import DEFAULT
from dupgroups_es.backfill.runs import Limits, Progress, new_run, pool_for, remove_runs
from dupgroups_es.backfill.workers import ungroup_part
from dupgroups_es.sliced import SlicedClusterIndex


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
    """Take the groups out of an index, and end its runs. It is no longer adopted, unless documents are left.

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
    if not left:
        index.release()
    return Undone(restored, left)
