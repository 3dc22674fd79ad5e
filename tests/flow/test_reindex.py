"""Writing every document again: what it changes is how words are stored, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import pytest

from dupgroups.engines import Engine
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.errors import EngineError
from dupgroups.flow import commit
from dupgroups.flow.reindex import Reindexed, reindex
from dupgroups.model import Document
from engines.documents import document, found
from watched import Watched, away


def everything(engine: Engine) -> tuple[object, ...]:
    engine.refresh()
    ids = ["a", "c"]
    redirects = list(engine.redirects())
    return list(engine.scan()), engine.members(ids), engine.heads(ids), redirects, found(engine, "flood")


def test_a_document_written_again_is_what_it_was(engine: Engine) -> None:
    documents = [
        document(id_, group, keys=["k"], body=b"x", text="flood", seen=number, last_seen=9)
        for number, (id_, group) in enumerate([("a", "a"), ("b", "a"), ("c", "c")])
    ]
    engine.put(documents, moves={"z": "a"}, heads={"a": "b"})
    before = everything(engine)
    steps: list[int] = []
    assert reindex(engine, steps.append) == Reindexed(3)
    assert steps == [3]
    assert everything(engine) == before
    assert [record.id for record in engine.heads(["a"])["a"]] == ["b"]


class Busy(SQLiteEngine):
    """Another writer is faster, some number of times."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.put([document("a"), document("b")])
        self.times = times

    def put(self, documents: Sequence[Document], **options: Any) -> None:
        if options.get("seen") and self.times:
            self.times -= 1
            super().put([document("b", text="written meanwhile")])
        super().put(documents, **options)


def test_what_others_write_meanwhile_stays_and_what_they_change_all_the_time_is_named(
    pauses: list[float],
) -> None:
    engine = Busy(commit.TRIES - 1)
    assert reindex(engine) == Reindexed(2)
    assert found(engine, "meanwhile") == ["b"]
    assert len(pauses) == commit.TRIES - 1
    reindexed = reindex(Busy(commit.TRIES))
    assert (reindexed.documents, reindexed.failures.keys()) == (0, {"a", "b"})
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

    with pytest.raises(EngineError, match="connection refused"):
        reindex(cast(Engine, Watched(engine, put=away)))
