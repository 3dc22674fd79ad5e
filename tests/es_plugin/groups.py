"""Documents whose groups are known, and the groups of a store."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

from dupgroups import Page, open_engine
from dupgroups.bulk.backfill import bulk_loader
from dupgroups.engines import Engine
from dupgroups.engines.foreign import Fields
from stories import story


def page(id_: str, parts: str, **fields: Any) -> Page:
    """Parts of stories: "abc" and "cde" are two stories, "abcde" is both; one part alone is too little."""
    return Page(id=id_, text="\n".join(story(part, 150) for part in parts), **fields)


def groups(engine: Engine) -> dict[str, str]:
    """The group of every document."""
    engine.refresh()
    return {document.record.id: document.record.group for document in engine.scan()}


def backfill(engine_url: str, above: Path) -> None:
    """Group the whole index of another tool, whose texts are in the field `body`."""
    with closing(open_engine(engine_url)) as engine:
        run = bulk_loader.bulk_backfill(engine, Fields("body"), above=above)
        assert run
        run.run()
