"""`dup-groups serve` over an index that is not there yet: it starts, says so, and shows what comes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from dupgroups import Deduper
from dupgroups.engines import open_engine
from es_plugin.clusters import ONE_OF_EACH, servers
from processes import Command, started
from stories import reprints

Start = Callable[[str], Command]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts the search page over an engine."""
    with ExitStack() as stack:
        yield lambda engine: stack.enter_context(
            started(["-m", "dupgroups", "serve", "--engine", engine, "--port", "{port}"], tmp_path)
        )


def check(engine_url: str, start: Start) -> None:
    page = start(engine_url)
    assert page.get("/healthz") == '{"status":"ok"}'
    assert json.loads(page.get("/api/search?q=ferry"))["stories"] == 0
    assert "No documents yet" in page.get("/")
    with closing(Deduper(open_engine(engine_url))) as deduper:
        deduper.add_all(reprints(1, 2).values())
        deduper.engine.refresh()
    assert json.loads(page.get("/api/search"))["documents"] == 2
    assert "Story 0, copy 0" in page.get("/")
    assert "Nothing is stored there yet" in page.stop()


def test_over_a_file_that_is_not_there_yet(tmp_path: Path, start: Start) -> None:
    check(f"sqlite:///{tmp_path}/news.db", start)


@servers(ONE_OF_EACH)
def test_over_an_index_that_is_not_there_yet(engine_url: str, start: Start) -> None:
    check(engine_url, start)


def test_no_file_is_made_and_a_full_one_is_not_called_empty(tmp_path: Path, start: Start) -> None:
    engine_url = f"sqlite:///{tmp_path}/news.db"
    page = start(engine_url)
    page.get("/")
    assert not (tmp_path / "news.db").exists()
    page.stop()
    open_engine(engine_url).close()
    assert "Nothing is stored" not in start(engine_url).stop()
