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
from dupgroups.flow.dead_letters import DeadLetter, loads
from dupgroups.flow.deduper import Settled
from dupgroups.flow.ingest import Ingestor, ItemResult, Signed
from dupgroups.model import Document
from stories import story
from watched import Watched, away


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


def letters(dead: Path) -> list[DeadLetter]:
    return [*map(loads, dead.read_bytes().splitlines())]


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
    dead = {letter.page.id: letter.reason for letter in letters(tmp_path / "dead.jsonl")}
    assert dead["h"] == "connection refused"
    assert dead["poison"] == "the whole call was refused"


def test_a_page_that_spoils_its_batch_fails_alone(engine: Watched, tmp_path: Path) -> None:
    states, is_away = stored(engine, "a b poison d e", tmp_path / "dead.jsonl")
    assert states == ["new", "new", "dead_letter", "new", "new"]
    assert not is_away


TIME = "2026-03-06T08:00:00.000000+00:00"
PAGE = Page(url="http://a.example/1", text=story("a"))


class Faulty(Deduper):
    """Cannot sign; its engine is away once it has `settled` what it is given."""

    settled: Iterator[Settled] = iter(())

    def sign(self, page: Any) -> Any:
        return 1 / 0

    def regroup(self, everything: Any = None) -> Settled:
        return next(self.settled, None) or away()


def test_a_page_that_cannot_be_signed_is_kept_and_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with Deduper(SQLiteEngine()) as deduper:
        ingestor = Ingestor(Faulty(deduper.engine), tmp_path / "dead.jsonl")
        assert ingestor.sign(PAGE, TIME) == ItemResult("dead_letter")
        assert ingestor.deduper.metrics.value("step_seconds_count", step="sign") == 1
    assert letters(tmp_path / "dead.jsonl") == [
        DeadLetter(PAGE, "not signed: ZeroDivisionError('division by zero')", TIME)
    ]
    assert caplog.messages == [
        "A page could not be signed: http://a.example/1",
        "1 page was not stored (not signed: ZeroDivisionError('division by zero')); retry later: "
        f"dup-groups replay {tmp_path / 'dead.jsonl'}",
    ]


def test_a_page_that_another_process_has_signed_is_stored_where_it_says(tmp_path: Path) -> None:
    with Deduper(SQLiteEngine()) as deduper:
        ingestor = Ingestor(deduper, tmp_path / "dead.jsonl")
        signed = ingestor.take_signed(PAGE, deduper.sign(PAGE), 40.0, TIME)
        assert (signed.page, signed.time, signed.size) == (PAGE, TIME, len(story("a")))
        assert deduper.metrics.value("step_seconds_sum", step="sign") == 40.0
        (result,) = ingestor.add([signed])
        assert result == ItemResult("new", signed.document.record.id, signed.document.record.id)
        assert (ingestor.merged, ingestor.unavailable) == (0, False)
        assert ingestor.add([]) == []
    score = signed.document.content.article
    assert signed.is_article(score)
    assert not signed.is_article(score + 0.01)


def test_what_can_be_written_nowhere_is_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Deduper(cast(Store, Watched(SQLiteEngine(), put=silent))) as deduper:
        ingestor = Ingestor(deduper, tmp_path)
        signed = [ingestor.sign(Page(id=id_, url=url, text=story("a"))) for id_, url in ("ab", ("c", None))]
        assert ingestor.add(cast(list[Signed], signed)) == [ItemResult("failed"), ItemResult("failed")]
    lost = f"2 pages are not kept, as {tmp_path} cannot be written ([Errno 21] Is a directory: '{tmp_path}')"
    assert caplog.messages == [f"{lost}: b, c"]
    ingestor = Ingestor(Deduper(cast(Store, Watched(SQLiteEngine(), put=silent))), tmp_path / "dead.jsonl")
    ingestor.add(cast(list[Signed], signed[:1]))
    assert letters(tmp_path / "dead.jsonl")[0].reason == "RuntimeError()"  # one without a message


def silent(*_: Any, **__: Any) -> None:
    raise RuntimeError


def test_what_cannot_be_settled_now_is_settled_later(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    engine = Watched(SQLiteEngine(), refresh=away)
    ingestor = Ingestor(flow := Faulty(cast(Store, engine)), tmp_path / "dead.jsonl")
    flow.settled = iter([Settled(groups=2), Settled(groups=3)])
    ingestor.add([Signed(PAGE, Deduper(SQLiteEngine()).sign(PAGE), TIME)])
    for _ in range(2):
        ingestor.regroup()
    ingestor.close()
    assert ingestor.merged == 5
    assert caplog.messages == [
        "Groups could not be put right now (connection refused); the next regrouping will try again",
        "Searches find the last documents with the next refresh (connection refused)",
    ]
    assert engine.names[-1] == "close"
