"""An index of another tool is grouped, and which documents stand together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from dupgroups import open_engine
from dupgroups.engines.foreign import Fields
from dupgroups_es.backfill import bulk_loader


def partition(groups: Mapping[str, str | None]) -> set[frozenset[str]]:
    """Which documents stand together, whatever their groups are called."""
    members = defaultdict(set)
    for id_, name in groups.items():
        members[name].add(id_)
    return {frozenset(ids) for ids in members.values()}


def backfill(engine_url: str, above: Path) -> None:
    """Group the whole index of another tool, whose texts are in the field `body`."""
    with closing(open_engine(engine_url)) as engine:
        run = bulk_loader.bulk_backfill(engine, Fields("body"), above=above)
        assert run
        run.run()
