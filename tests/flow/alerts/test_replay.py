"""A replay in which both the writer and the alerter are killed all the time: nothing is lost or repeated."""

from __future__ import annotations

import random
import time
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
    find_first_stood,
    make_history,
    read_lines,
    tell,
    told_of,
    write,
)

BAD: list[Behaviour] = [500, 503, "cut", 204, 204, 204]
SELDOM_BAD: list[Behaviour] = [*BAD[:3], *[204] * 97]
MAX_P95_SECONDS = 5.0  # from when a story stands to when it is told
DOCUMENTS_A_SECOND = 500  # more than are grouped on one core


def replay(
    path: Path, to: str, history: tuple[int, int], chance: random.Random, seconds: float
) -> dict[int, float]:
    """Write a history, a batch in so many seconds, and tell of it, with kills: when each was written."""
    SQLiteEngine(EngineURL.parse(f"sqlite:///{path}")).close()
    written, killed = dict[int, float](), Counter[str]()
    longest = 8 if not seconds else 300  # batches until the next kill
    batches = -(-history[1] // BATCH_DOCUMENTS)
    while len(written) < batches:
        alerter, writer = Worker(tell, path, to), Worker(write, path, history, len(written), seconds)
        killed["writer"] += writer.kill(chance.randint(1, longest), chance.uniform(0, 0.01))
        killed["alerter"] += alerter.kill(chance.randint(0, 3), chance.uniform(0, 0.05))
        written |= dict(writer.said)
    last = Worker(tell, path, to)
    while last.listen(len(last.said) + 1) and last.said[-1]:
        pass
    last.kill()
    assert min(killed["alerter"], killed["writer"]) >= 3
    print(f"killed: {dict(killed)}")
    return written


def check(path: Path, told: list[Told]) -> int:
    """Nothing was lost or told again; how much there was to be told."""
    with closing(SQLiteEngine(EngineURL.parse(f"sqlite:///{path}"))) as engine:
        expected = find_expected(engine.scan())
    assert compare(told, expected) == ([], [])
    return len(expected)


def test_in_a_replay_with_kills_a_file_has_everything_once(tmp_path: Path) -> None:
    path, file = tmp_path / "news.db", tmp_path / "told.jsonl"
    replay(path, str(file), (7, 800), random.Random(7), 0)
    assert check(path, told_of(read_lines(file))) > 100


def test_in_a_replay_with_kills_a_bad_server_gets_everything_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    path = tmp_path / "news.db"
    with receiving(*random.Random(1).choices(BAD, k=60)) as receiver:
        replay(path, receiver.url, (8, 800), random.Random(8), 0)
    assert check(path, told_of(receiver.taken.values())) > 100


@pytest.mark.slow
@pytest.mark.timeout(1_800)
def test_of_100_000_documents_most_is_told_within_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    path, history = tmp_path / "news.db", (9, 100_000)
    seconds = BATCH_DOCUMENTS / DOCUMENTS_A_SECOND
    with receiving(*random.Random(1).choices(SELDOM_BAD, k=50_000)) as receiver:
        begun = time.monotonic()
        written = replay(path, receiver.url, history, random.Random(9), seconds)
    told, stood = told_of(receiver.taken.values()), find_first_stood(make_history(*history))
    expected = check(path, told)
    at = {headers["Idempotency-Key"]: when for when, headers, _ in reversed(receiver.asked)}
    waited = sorted(
        at[key] - written[min(stood[rule, found, page] for page in pages if (rule, found, page) in stood)]
        for key, (rule, found, pages) in zip(receiver.taken, told, strict=True)
    )
    p50, p95 = waited[len(waited) // 2], waited[len(waited) * 95 // 100]
    print(
        f"{len(told)} alerts of {expected} that stand at the end, {len(receiver.asked)} requests, "
        f"{time.monotonic() - begun:.0f} s; told after {p50:.2f} s (p50), {p95:.2f} s (p95), "
        f"{waited[-1]:.1f} s at most"
    )
    assert p95 < MAX_P95_SECONDS
