"""Whether the groups of an adopted index are those that grouping all of its documents at once gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dupgroups.bulk.audit import StoredColumns, check_groups
from dupgroups.bulk.backfill.runs import Limits, Progress, new_run, pool_for
from dupgroups.bulk.backfill.workers import read_part
from dupgroups.engines.parts import ForeignIndex
from dupgroups.flow.method_set import MethodSet
from dupgroups.model import Check
from dupgroups.model.config import Config

CURE = "run `dup-groups backfill` once more, and `dup-groups settle --all` if that changes nothing"


def verify(
    index: ForeignIndex,
    config: Config | None = None,
    limits: Limits | None = None,
    *,
    progress: Progress = lambda step, done, total: None,
    settle: Callable[[], object] | None = None,
) -> list[Check]:
    """One line for each rule (see `audit`); `settle` groups what others write meanwhile.

    Reads every document with all processes. Raises EngineError when it cannot be read.
    """
    config = config or Config()

    def read() -> Iterator[StoredColumns]:
        run, done = new_run(index, methods="", adopts=False), 0
        with pool_for(run, index, config, limits or Limits()) as pool:
            for some in pool.map(read_part, run.parts):
                done += len(some.groups)
                progress("reading", done, run.documents)
                yield some

    return [*check_groups(index, config, read, settle), _signed(index, config, judge_all=settle is None)]


def _signed(index: ForeignIndex, config: Config, *, judge_all: bool) -> Check:
    """`judge_all`: what was never settled counts as well."""
    position, documents = index.position(), f"{index.count():,}"
    settled = position if judge_all else index.settled_position()
    since = sum(number - settled.get(shard, -1) for shard, number in position.items())
    if unsigned := index.unsigned(sorted(MethodSet(config).schemes), settled):
        detail = f"{unsigned:,} of {documents} documents are not signed as configured: {CURE}"
        return Check("signatures", False, detail)
    others = f" but what others wrote since ({since:,} writes)" if since else ""
    return Check("signatures", True, f"all of {documents} documents have one{others}")
