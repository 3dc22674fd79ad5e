"""Writing every document again: what it changes is how words are stored, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from dupgroups.engines import Engine
from dupgroups.engines.memory import MemoryEngine
from dupgroups.errors import ConflictError
from dupgroups.model import Document
from dupgroups.reindex import TRIES, reindex
from engines.documents import document, found, opened


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
    assert reindex(engine, steps.append) == 3
    assert steps == [3]
    assert everything(engine) == before
    assert [record.id for record in engine.heads(["a"])["a"]] == ["b"]


def test_an_empty_store_has_nothing_to_write() -> None:
    assert reindex(MemoryEngine()) == 0


class Busy(MemoryEngine):
    """Another writer is faster, some number of times."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times = times

    def put(self, documents: Sequence[Document], **options: Any) -> None:
        if options.get("seen") and self.times:
            self.times -= 1
            super().put([document("b", text="written meanwhile")])
        super().put(documents, **options)


def test_what_others_write_meanwhile_stays() -> None:
    engine = Busy(times=1)
    engine.put([document("a"), document("b")])
    assert reindex(engine) == 2
    assert found(engine, "meanwhile") == ["b"]


def test_who_is_always_overtaken_says_so() -> None:
    engine = Busy(times=TRIES)
    engine.put([document("a"), document("b")])
    with pytest.raises(ConflictError, match="other processes keep changing"):
        reindex(engine)


def test_the_command_says_how_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    from dupgroups.cli.console import main

    with opened(tmp_path / "x.db") as engine:
        engine.put([document("a"), document("b")])
    for options, printed in (([], "2 documents written again\n"), (["--json"], {"documents": 2})):
        monkeypatch.setattr(
            "sys.argv", ["dup-groups", "reindex", "--engine", f"sqlite:///{tmp_path}/x.db", *options]
        )
        with pytest.raises(SystemExit) as end:
            main()
        assert end.value.code in (0, None)
        out = capsys.readouterr().out
        assert (json.loads(out) if isinstance(printed, Mapping) else out) == printed
