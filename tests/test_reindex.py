"""Writing every document again: what it changes is how words are stored, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from dupgroups.engines import Engine
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.errors import EngineError
from dupgroups.flow import commit
from dupgroups.flow.reindex import Reindexed, reindex
from dupgroups.model import Document
from engines.documents import document, found, opened
from watched import Watched, away


def everything(engine: Engine) -> tuple[object, ...]:
    engine.refresh()
    return (
        list(engine.scan()),
        engine.members(["a", "c"]),
        engine.heads(["a", "c"]),
        list(engine.redirects()),
        found(engine, "flood"),
    )


def test_a_document_written_again_is_what_it_was(engine: Engine) -> None:
    rows = [("a", "a"), ("b", "a"), ("c", "c")]
    engine.put(
        [
            document(id_, group, keys=["k"], body=b"x", text="flood", seen=n, last_seen=9)
            for n, (id_, group) in enumerate(rows)
        ],
        moves={"z": "a"},
        heads={"a": "b"},
    )  # fmt: skip
    before = everything(engine)
    steps: list[int] = []
    assert reindex(engine, steps.append) == Reindexed(3)
    assert steps == [3]
    assert everything(engine) == before
    assert [record.id for record in engine.heads(["a"])["a"]] == ["b"]


def test_an_empty_store_has_nothing_to_write() -> None:
    assert reindex(SQLiteEngine()) == Reindexed()


class Busy(SQLiteEngine):
    """Another writer is faster, some number of times."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times = times

    def put(self, documents: Sequence[Document], **options: Any) -> None:
        if options.get("seen") and self.times:
            self.times -= 1
            super().put([document("b", text="written meanwhile")])
        super().put(documents, **options)


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that it would have waited."""
    waited: list[float] = []
    monkeypatch.setattr(commit, "time", SimpleNamespace(sleep=waited.append))
    return waited


@pytest.mark.parametrize("times", [1, commit.TRIES - 1])
def test_what_others_write_meanwhile_stays_and_a_busy_writer_is_waited_for(
    times: int, pauses: list[float]
) -> None:
    engine = Busy(times)
    engine.put([document("a"), document("b")])
    assert reindex(engine) == Reindexed(2)
    assert found(engine, "meanwhile") == ["b"]
    assert len(pauses) == times


def test_what_others_change_all_the_time_stays_as_it_is_and_is_named(pauses: list[float]) -> None:
    engine = Busy(times=commit.TRIES)
    engine.put([document("a"), document("b")])
    reindexed = reindex(engine)
    assert reindexed.documents == 0
    assert reindexed.failures.keys() == {"a", "b"}
    assert "other processes keep changing" in reindexed.failures["a"]


def test_one_refused_document_does_not_end_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dupgroups.flow.reindex.BATCH", 2)
    engine = SQLiteEngine()
    engine.put([document(name, text="stored") for name in "abcd"])

    def put(documents: Sequence[Document], **options: Any) -> None:
        engine.put([one for one in documents if one.record.id != "b"], **options)
        if any(one.record.id == "b" for one in documents):
            raise EngineError("refused 1 document", failures={"b": "no room"})

    store = Watched(engine, put=put)
    assert reindex(cast(Engine, store)) == Reindexed(3, {"b": "no room"})
    assert [[one.record.id for one in given] for given in store.given("put")] == [["a", "b"], ["c", "d"]]
    assert set(found(engine, "stored")) == {*"abcd"}


def test_an_engine_that_is_away_ends_the_run() -> None:
    engine = SQLiteEngine()
    engine.put([document("a")])
    with pytest.raises(EngineError, match="connection refused"):
        reindex(cast(Engine, Watched(engine, put=away)))


def test_the_command_says_how_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    from dupgroups.cli.console import main

    with opened(tmp_path / "x.db") as engine:
        engine.put([document("a"), document("b")])
    for options, printed in (
        ([], "2 documents written again\n"),
        (["--json"], {"documents": 2, "failures": {}}),
    ):
        monkeypatch.setattr(
            "sys.argv", ["dup-groups", "reindex", "--engine", f"sqlite:///{tmp_path}/x.db", *options]
        )
        with pytest.raises(SystemExit) as end:
            main()
        assert end.value.code in (0, None)
        out = capsys.readouterr().out
        assert (json.loads(out) if isinstance(printed, Mapping) else out) == printed
