"""Backfill into a copy of an index, which takes its place behind an alias."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from dupgroups import Deduper, open_engine
from dupgroups.audit import audit
from dupgroups.backfill import bulk
from dupgroups.backfill.bulk import Progress
from dupgroups.backfill.folder import folders
from dupgroups.backfill.into import Copied, into_backfill
from dupgroups.backfill.undo_copy import UndoneCopy, undo_copy
from dupgroups.cli import app
from dupgroups.config import Config
from dupgroups.engines.foreign import Fields
from dupgroups.engines.url import EngineURL
from dupgroups.errors import DupGroupsError
from dupgroups.model import Check, Query
from dupgroups.verification import verify
from es_plugin.clusters import ALL, ONE, ONE_OF_EACH, ask, servers
from stories import reprints
from test_backfill import FIELDS, MAPPING, everything, fill, index_of, partition, theirs
from test_bulk_backfill import operations, put

QUIET: Progress = lambda step, done, total: None  # noqa: E731


def copy(
    engine_url: str,
    above: Path,
    into: str,
    progress: Progress = QUIET,
    fields: Fields | None = FIELDS,
    check: Callable[[Any], list[Check]] = verify,
    **options: Any,
) -> Copied:
    with closing(open_engine(engine_url, must_exist=True)) as engine:
        run = into_backfill(engine, into, fields, above=above, batch=10, **options)
        return run.copy(check, progress)


def undo(engine_url: str, above: Path) -> UndoneCopy:
    folder = folders(above)[-1]
    with closing(open_engine(engine_url)) as engine:
        return undo_copy(folder, engine.copy_into(folder.run.into, source=folder.run.index))  # type: ignore[attr-defined]


def beside(engine_url: str, end: str) -> str:
    """The URL of another index of the test, which goes with it."""
    return f"{engine_url}{end}"


def aliased(engine_url: str, **form: object) -> str:
    """The URL of an alias of the index."""
    index = index_of(engine_url)
    add = {"add": {"index": index, "alias": f"{index}-alias", **form}}
    ask(engine_url, "POST", "/_aliases", {"actions": [add]})
    return beside(engine_url, "-alias")


def described(engine_url: str) -> Any:
    """What a server says of an index."""
    return ask(engine_url, "GET", f"/{index_of(engine_url)}")


@servers(ALL)
def test_an_index_is_copied_with_its_groups_and_its_alias_switched(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url, range(6))
    before, index = everything(engine_url), index_of(engine_url)
    alias, new = aliased(engine_url, filter={"exists": {"field": "body"}}), beside(engine_url, "-2")
    form = described(engine_url)[index]["aliases"]
    plain = described(engine_url)
    copied = copy(alias, tmp_path, f"{index}-2")
    assert copied.is_whole
    assert copied.alias == f"{index}-alias"
    assert copied.report.states == {"new": 8, "joined": 40}
    after = everything(new)
    assert theirs(after) == theirs(before)
    assert partition(after, lambda source: source["dup_group"]) == partition(
        before, lambda source: source["tags"][0]
    )
    assert operations(new) == 48, "each document was written once"
    assert operations(engine_url) == 48
    assert everything(engine_url) == before
    (now,) = described(alias).values()
    assert now["aliases"] == form
    assert now["mappings"]["_meta"]["dup_groups"] == {"fields": FIELDS.plain()}
    assert now["mappings"]["dynamic"] == "strict"
    assert now["settings"]["index"]["number_of_shards"] == "3"
    assert "refresh_interval" not in now["settings"]["index"]
    with closing(open_engine(alias)) as engine:
        assert [check for check in engine.check() if not check.ok] == []
        assert [check for check in audit(engine) if not check.ok] == []
        assert Deduper(engine).settle().documents == 0
        assert engine.search(Query("copy", limit=1)).groups == 8
    undone = undo(alias, tmp_path)
    assert undone == UndoneCopy(index, f"{index}-2", f"{index}-alias", "")
    assert described(alias) == plain
    left = ask(engine_url, "GET", f"/{index}*?expand_wildcards=all")
    assert list(left) == [index]
