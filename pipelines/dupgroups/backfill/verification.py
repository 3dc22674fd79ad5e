"""Whether the groups of an adopted index are those that grouping all of its documents at once gives."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from dupgroups.backfill.assign import assign, placed_parts
from dupgroups.backfill.folder import Folder
from dupgroups.backfill.runs import Progress, new_run, pool_for
from dupgroups.backfill.workers import read_part
from dupgroups.config import Config
from dupgroups.engines.parts import PartedIndex, Version
from dupgroups.grouping import Corrections
from dupgroups.method_set import MethodSet
from dupgroups.model import Check

NAMED = 3  # documents that a line names
CURE = "run `dup-groups backfill` once more, and `dup-groups settle --all` if that changes nothing"


@dataclass(frozen=True, slots=True)
class _Look:
    """What one look at all documents found. `unsigned`: how many that are settled lack a signature;
    `misplaced`: which are in another group than they should be, with their versions; `since`: how often
    others have written since the index was settled.
    """

    documents: int
    unsigned: int
    misplaced: dict[str, Version]
    since: int


def verify(
    index: PartedIndex,
    config: Config | None = None,
    *,
    above: Path | None = None,
    processes: int | None = None,
    progress: Progress = lambda step, done, total: None,
    settle: Callable[[], object] | None = None,
) -> list[Check]:
    """One line for each rule. `above` is where temporary files go.

    Nothing is written, but `settle` may be called: it groups what others wrote meanwhile. Who writes changes
    groups, so while others do only those documents are wrong that are so before it and after it, and are the
    same version. Reads every document with all processes, and keeps no more of them in memory than a run over
    the index does. Raises EngineError when it cannot be read.
    """
    config = config or Config()
    look = _look(index, config, above, processes, progress, judge_all=settle is None)
    changing = 0
    if settle and look.since and look.misplaced:
        settle()
        again = _look(index, config, above, processes, progress)
        wrong = dict(look.misplaced.items() & again.misplaced.items())
        changing = len(again.misplaced) - len(wrong)
        look = _Look(again.documents, again.unsigned, wrong, again.since)
    return [_signed(look), _grouped(look, changing)]


def _look(
    index: PartedIndex,
    config: Config,
    above: Path | None,
    processes: int | None,
    progress: Progress,
    *,
    judge_all: bool = False,
) -> _Look:
    """`judge_all`: what was never settled counts as well."""
    with tempfile.TemporaryDirectory(prefix="dup-groups-verify-", dir=above) as path:
        folder = Folder.create(Path(path), new_run(index, methods="", adopts=False))
        position, documents = folder.run.position, index.count()
        settled = position if judge_all else index.settled_position()
        unsigned = index.unsigned(sorted(MethodSet(config).schemes), settled)
        with pool_for(folder, index, config, processes=processes) as pool:
            done = 0
            for number in pool.map(read_part, list(enumerate(folder.run.parts))):
                done += number
                progress("reading", done, folder.run.documents)
            corrections = Corrections.of(index.corrections(fresh=True))
            assign(folder, pool, config, corrections, ties=False)
        now = index.position()
        since = sum(number - settled.get(shard, -1) for shard, number in now.items())
        quiet = settled == now
        return _Look(documents, max(unsigned, documents - done if quiet else 0), _misplaced(folder), since)


def _misplaced(folder: Folder) -> dict[str, Version]:
    return {
        signed.record.id: signed.version
        for signed, place in placed_parts(folder)
        if signed.former != (place.group, place.head)
    }


def _signed(look: _Look) -> Check:
    documents = _counted(look.documents)
    if look.unsigned:
        return Check(
            "signatures", False, f"{look.unsigned:,} of {documents} are not signed as configured: {CURE}"
        )
    if look.since:
        return Check("signatures", True, f"all have one but what others wrote since ({look.since:,} writes)")
    return Check("signatures", True, f"all of {documents} have one")


def _grouped(look: _Look, changing: int) -> Check:
    wrong = sorted(look.misplaced)
    if not wrong:
        others = f"; {changing:,} are about to change, because others write" if changing else ""
        return Check("groups", True, f"every document is where grouping all of them at once puts it{others}")
    some = ", ".join(wrong[:NAMED]) + (", ..." if len(wrong) > NAMED else "")
    return Check(
        "groups",
        False,
        f"{_counted(len(wrong))} in another group, or with another head, than grouping all "
        f"of them at once gives ({some}): {CURE}",
    )


def _counted(documents: int) -> str:
    return f"{documents:,} document{'' if documents == 1 else 's'}"
