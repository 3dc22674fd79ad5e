"""`make bench-follow`: the seconds from a write to `dup_group`, while `dup-groups follow` runs.

    python benchmarks/follow.py [--rate 200] [--seconds 60] [--shares 1] [--server URL]

A writer that knows nothing of dup-groups puts made texts of 2.8 kB, four copies of each story, into an index
with a mapping of its own. A document is grouped when a read by its id shows `dup_group`, which is asked
for twice a second. Without a URL such as opensearch://localhost:9200, an OpenSearch is started.
"""

from __future__ import annotations

import argparse
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from served import ask, index, server

from stories import running_text

INDEX = "bench-follow"
MAPPING = {"properties": {"body": {"type": "text"}, "headline": {"type": "text"}}}
COPIES = 4  # of each story
FIRST = 1000  # number of the first document that is measured
EVERY = 0.5  # seconds between two bulks, and between two reads of what has no group yet
PATIENCE = 120  # seconds to wait for the last documents


def main() -> None:
    """Print the table in Markdown."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rate", type=int, default=200, help="documents a second")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--shares", type=int, default=1, help="processes that follow")
    parser.add_argument("--server", help="URL of a server that runs already")
    options = parser.parse_args()
    with server(options.server) as url, index(url, INDEX, MAPPING):
        with _followers(url, options.shares):
            _write(url, 0, 200)  # until these have their groups, the processes start
            _wait(url, {f"{number}": 0.0 for number in range(200)})
            seconds, rate = _measure(url, options.rate, options.seconds)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"| {len(seconds):,} documents, {options.shares} x dup-groups follow | |\n|---|---|")
    print(f"| documents written a second | {rate:,.0f} |")
    for share in (50, 95, 99, 100):
        place = min(len(seconds) - 1, len(seconds) * share // 100)
        print(f"| seconds from write to `dup_group`, p{share} | {seconds[place]:.1f} |")
    cpu = (used.ru_utime + used.ru_stime) / (len(seconds) + 200)
    print(f"| ms of CPU of follow a document, with its start | {cpu * 1000:.1f} |")


def _measure(url: str, rate: int, duration: int) -> tuple[list[float], float]:
    """The seconds that each document waited, sorted, and the documents that were written a second."""
    for number in range(FIRST, FIRST + rate * duration):
        _text(number)  # now, so that the writer takes no time from the others
    waiting: dict[str, float] = {}
    seconds: list[float] = []
    start, written, size = time.monotonic(), FIRST, round(rate * EVERY)
    while (now := time.monotonic()) < start + duration:
        waiting |= dict.fromkeys(_write(url, written, size), time.monotonic())
        written += size
        seconds += _grouped(url, waiting)
        time.sleep(max(0.0, now + EVERY - time.monotonic()))
    rate_written = (written - FIRST) / (time.monotonic() - start)
    return sorted(seconds + _wait(url, waiting)), rate_written


def _wait(url: str, waiting: dict[str, float]) -> list[float]:
    seconds: list[float] = []
    end = time.monotonic() + PATIENCE
    while waiting:
        if time.monotonic() > end:
            sys.exit(f"{len(waiting)} documents have no dup_group after {PATIENCE} seconds")
        seconds += _grouped(url, waiting)
        time.sleep(EVERY)
    return seconds


def _write(url: str, first: int, size: int) -> list[str]:
    """Write documents in one bulk; their ids."""
    ids = [str(number) for number in range(first, first + size)]
    lines: list[Any] = []
    for id_ in ids:
        text = _text(int(id_))
        lines += [{"index": {"_id": id_}}, {"headline": text[:60], "body": f"{text}\nPrinted as {id_}."}]
    answer = ask(url, "POST", f"/{INDEX}/_bulk", *lines)
    assert answer["errors"] is False
    return ids


def _text(number: int) -> str:
    return _story(number // COPIES)


@cache
def _story(number: int) -> str:
    return running_text(str(number))


def _grouped(url: str, waiting: dict[str, float]) -> list[float]:
    """Take out of `waiting` what has its group now; the seconds that each waited."""
    if not waiting:
        return []
    found = ask(url, "POST", f"/{INDEX}/_mget?_source=dup_group", {"ids": list(waiting)})["docs"]
    now = time.monotonic()
    return [now - waiting.pop(one["_id"]) for one in found if one["_source"].get("dup_group")]


@contextmanager
def _followers(url: str, shares: int) -> Iterator[None]:
    fields = ["--text-field", "body", "--title-field", "headline"]
    command = [sys.executable, "-m", "dupgroups", "follow", "--engine", f"{url}/{INDEX}", *fields]
    processes = [
        subprocess.Popen([*command, "--share", f"{number}/{shares}"]) for number in range(1, shares + 1)
    ]
    try:
        yield
    finally:
        for process in processes:
            process.send_signal(signal.SIGTERM)
        for process in processes:
            process.wait()


if __name__ == "__main__":
    main()
