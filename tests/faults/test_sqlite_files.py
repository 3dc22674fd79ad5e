"""SQLite files that are locked, may not grow, or were cut short in the middle of a crawl."""

from __future__ import annotations

import json
import shutil
import threading
from pathlib import Path

import pytest

from dupgroups.errors import ConfigError, EngineError
from faults import corpus
from faults.checks import faults_left
from faults.processes import Worker
from faults.workers import crawl, crawl_with_little_room, lock

PAGES = corpus.pages(5)
HALF = len(PAGES) // 2


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "news.db"


@pytest.fixture
def dead(tmp_path: Path) -> Path:
    return tmp_path / "dead.jsonl"


def reasons(dead: Path) -> list[str]:
    return [json.loads(line)["reason"] for line in dead.read_text().splitlines()]


@pytest.mark.parametrize("waits", [False, True], ids=["impatient", "patient"])
def test_a_file_that_another_process_locks(path: Path, dead: Path, waits: bool) -> None:
    url = f"sqlite:///{path}?timeout={30 if waits else 0.05}"
    Worker(crawl, url, PAGES[:HALF], dead).end()
    locker = Worker(lock, path)
    assert locker.listen(1)
    release = threading.Timer(1 if waits else 600, locker.kill)
    release.start()
    assert Worker(crawl, url, PAGES[HALF:], dead).end() == 0
    release.cancel()
    locker.kill()
    refused = reasons(dead) if dead.exists() else []
    assert len(refused) == (0 if waits else len(PAGES) - HALF)
    assert all("another process is writing to it: try again" in reason for reason in refused)
    assert faults_left(url, PAGES, dead=dead) == []


def test_a_full_disk(path: Path, dead: Path) -> None:
    url = f"sqlite:///{path}"
    crawler = Worker(crawl_with_little_room, 400_000, url, PAGES, dead)
    assert crawler.end() == 0
    assert 0 < len(crawler.stored) < len(PAGES)
    assert len(reasons(dead)) == len(PAGES) - len(crawler.stored)
    assert all("free some space; what was stored before is safe" in reason for reason in reasons(dead))
    assert faults_left(url, PAGES, crawler.stored, dead) == []


@pytest.mark.parametrize("share", [0.1, 0.9])
def test_a_file_that_was_cut_short(path: Path, dead: Path, share: float) -> None:
    url = f"sqlite:///{path}"
    assert Worker(crawl, url, PAGES[:HALF], dead).end() == 0
    whole = path.with_name("backup.db")
    shutil.copy(path, whole)
    with path.open("r+b") as file:
        file.truncate(int(path.stat().st_size * share))
    cut = path.read_bytes()
    with pytest.raises((ConfigError, EngineError), match=r"the file is damaged: restore it from a backup"):
        faults_left(url, PAGES)
    assert path.read_bytes() == cut
    Worker(crawl, url, PAGES[HALF:], dead).end()
    assert path.read_bytes() == cut
    shutil.copy(whole, path)
    assert Worker(crawl, url, PAGES[HALF:], dead).end() == 0
    assert faults_left(url, PAGES, dead=dead) == []
