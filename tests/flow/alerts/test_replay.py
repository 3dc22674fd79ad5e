"""A replay in which both the writer and the alerter are killed all the time: nothing is lost or repeated."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.engines.url import EngineURL
from faults.processes import Worker
from flow.alerts.receiver import Behaviour, receiving
from flow.alerts.replaying import (
    BATCH_DOCUMENTS,
    Told,
    compare,
    find_expected,
    read_lines,
    tell,
    told_of,
    write,
)

BAD: list[Behaviour] = [500, 503, "cut", 204, 204, 204]


def replay(path: Path, to: str, history: tuple[int, int]) -> None:
    """Write a history and tell of it, with kills."""
    SQLiteEngine(EngineURL.parse(f"sqlite:///{path}")).close()
    written, killed, chance = 0, Counter[str](), random.Random(history[0])
    while written < -(-history[1] // BATCH_DOCUMENTS):
        alerter, writer = Worker(tell, path, to), Worker(write, path, history, written)
        killed["writer"] += writer.kill(chance.randint(1, 8), chance.uniform(0, 0.01))
        killed["alerter"] += alerter.kill(chance.randint(0, 3), chance.uniform(0, 0.05))
        written = max([written, *writer.said])
    last = Worker(tell, path, to)
    while last.listen(len(last.said) + 1) and last.said[-1]:
        pass
    last.kill()
    assert min(killed["alerter"], killed["writer"]) >= 3


def check(path: Path, told: list[Told]) -> int:
    """Nothing was lost or told again; how much there was to be told."""
    with closing(SQLiteEngine(EngineURL.parse(f"sqlite:///{path}"))) as engine:
        expected = find_expected(engine.scan())
    assert compare(told, expected) == ([], [])
    return len(expected)


def test_in_a_replay_with_kills_a_file_has_everything_once(tmp_path: Path) -> None:
    path, file = tmp_path / "news.db", tmp_path / "told.jsonl"
    replay(path, str(file), (7, 800))
    assert check(path, told_of(read_lines(file))) > 100


def test_in_a_replay_with_kills_a_bad_server_gets_everything_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    path = tmp_path / "news.db"
    with receiving(*random.Random(1).choices(BAD, k=60)) as receiver:
        replay(path, receiver.url, (8, 800))
    assert check(path, told_of(receiver.taken.values())) > 100
