"""Storing batches of a crawl: what fails is a dead letter, and an engine that is away is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from dupgroups import Deduper, Page
from dupgroups.engines import Store
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.errors import EngineError
from dupgroups.flow.dead_letters import loads
from dupgroups.flow.ingest import Ingestor, Signed
from dupgroups.model import Document
from stories import story
from watched import Watched


@pytest.fixture
def engine() -> Iterator[Watched]:
    """An engine for which the id "poison" spoils a whole call, and that is away from "away" on."""

    def put(documents: Sequence[Document], **rest: Any) -> None:
        ids = {document.record.id for document in documents}
        if "poison" in ids:
            raise EngineError("the whole call was refused")
        if "away" in ids:
            raise EngineError("connection refused", temporary=True)
        memory.put(documents, **rest)

    memory = SQLiteEngine()
    return Watched(memory, put=put)


def stored(engine: Watched, ids: str, dead: Path) -> tuple[list[str], bool]:
    """The state of each page of a batch, and whether the engine is said to be away."""
    ingestor = Ingestor(Deduper(cast(Store, engine)), dead)
    pages = [Page(id=id_, text=story(id_)) for id_ in ids.split()]
    signed = [page for page in map(ingestor.sign, pages) if isinstance(page, Signed)]
    return [result.state for result in ingestor.add(signed)], ingestor.unavailable


@pytest.mark.parametrize("ids", ["poison away c d e f g h", "poison b away d e f g h"])
def test_an_outage_in_the_first_half_of_a_batch_is_not_forgotten(
    engine: Watched, ids: str, tmp_path: Path
) -> None:
    """The rest is not tried: it would wait for a dead server with every retry."""
    states, is_away = stored(engine, ids, tmp_path / "dead.jsonl")
    assert is_away
    after = ids.split().index("away")
    assert states[after:] == ["dead_letter"] * (8 - after)
    tried = [{document.record.id for document in given} for given in engine.given("put")]
    assert not any("h" in given for given in tried[1:])
    letters = map(loads, (tmp_path / "dead.jsonl").read_bytes().splitlines())
    dead = {letter.page.id: letter.reason for letter in letters}
    assert dead["h"] == "connection refused"
    assert dead["poison"] == "the whole call was refused"


def test_a_page_that_spoils_its_batch_fails_alone(engine: Watched, tmp_path: Path) -> None:
    states, is_away = stored(engine, "a b poison d e", tmp_path / "dead.jsonl")
    assert states == ["new", "new", "dead_letter", "new", "new"]
    assert not is_away
