"""`make bench-backfill`: a full index of another mapping is grouped in place, verified, and taken back.

    python benchmarks/backfill.py [--documents 20000] [--into] [--processes N] [--rate N] [--server URL]

Made news texts of about 300 words, one in five of them a copy with another beginning, go into an index with a
mapping of its own, by plain bulks. Then the run of `dup-groups backfill --verify` and its undo, and with
--into the same into a copy, which is deleted at the end. CPU of the
server is that of its process, as its node says; with others at work on it, look at the seconds only. The
memory is the largest of this process and its workers together. Prints Markdown. Without a URL such as
opensearch://localhost:9200, an OpenSearch is started.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from served import ask, index, server

from dupgroups.backfill.bulk import bulk_backfill
from dupgroups.backfill.folder import folders
from dupgroups.backfill.into import into_backfill
from dupgroups.backfill.undo import undo
from dupgroups.backfill.undo_copy import undo_copy
from dupgroups.config import Config
from dupgroups.engines import Engine, open_engine
from dupgroups.engines.foreign import Fields
from dupgroups.engines.parts import PartedIndex
from dupgroups.model import Check
from dupgroups.verification import verify

INDEX = "bench-backfill"
FIELDS = Fields(text="body", title="headline", date="published")
MAPPING = {
    "properties": {"body": {"type": "text"}, "headline": {"type": "text"}, "published": {"type": "date"}}
}
WORDS = 300
COPIES = 5  # one of so many documents is a copy of an earlier one
BULK = 1000
SYLLABLES = [first + vowel for first in "bcdfghklmnprstvw" for vowel in "aeiou"]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--into", action="store_true", help="also into a copy of the index")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--rate", type=float, help="documents a second at most")
    parser.add_argument("--server", help="URL of a server that runs already")
    options = parser.parse_args()
    with server(options.server) as url, index(url, INDEX, MAPPING), tempfile.TemporaryDirectory() as work:
        _report(url, Path(work), options)


def _report(url: str, work: Path, options: argparse.Namespace) -> None:
    size = options.documents
    print(f"{size:,} documents of {WORDS} words, {options.processes} processes, {os.cpu_count()} cores\n")
    print("| step | seconds | documents/s | client CPU, ms/document | server CPU, ms/document | memory, MB |")
    print("|---|---|---|---|---|---|")
    meter = _Meter(url, size)
    for start in range(0, size, BULK):
        _fill(url, range(start, min(start + BULK, size)))
    ask(url, "POST", f"/{INDEX}/_refresh")
    meter.row("plain bulk, with the making of texts")
    with closing(open_engine(f"{url}/{INDEX}", must_exist=True)) as engine:
        given = {"above": work, "processes": options.processes, "rate": options.rate}
        run = bulk_backfill(engine, FIELDS, everything=True, **given)
        assert run
        meter.step("")
        report = run.run(lambda step, done, total: meter.step(step))
        meter.step("verify")
        index = engine.adopt()  # type: ignore[attr-defined]
        checks = verify(index, above=work, processes=options.processes)
        meter.step("undo")
        (folder,) = folders(work)
        files = sum(path.stat().st_size for path in folder.path.iterdir())
        undone = undo(folder, index, Config(), processes=options.processes)
        meter.step("")
        if options.into:
            checks += _copy(engine, meter, given)
    states = ", ".join(f"{count:,} {state}" for state, count in report.states.most_common())
    print(f"\n{states}; {undone.restored:,} taken back; work folder {files / size:,.0f} bytes a document")
    for check in checks:
        print(f"{'ok' if check.ok else 'WRONG'}: {check.name}: {check.detail}")
    sys.exit(not all(check.ok for check in checks))


def _copy(engine: Engine, meter: _Meter, given: dict[str, Any]) -> list[Check]:
    """The same steps into a copy; what it finds wrong there."""

    def check(target: PartedIndex) -> list[Check]:
        meter.step("into a copy: verify")
        return verify(target, above=given["above"], processes=given["processes"])

    run = into_backfill(engine, f"{INDEX}-2", FIELDS, **given)
    copied = run.copy(check, lambda step, done, total: meter.step(f"into a copy: {step}"))
    meter.step("into a copy: undo")
    folder = folders(given["above"])[-1]
    undo_copy(folder, engine.copy_into(folder.run.into))  # type: ignore[attr-defined]
    meter.step("")
    return list(copied.checks)


class _Meter:
    """Prints a row of the table for each step."""

    def __init__(self, url: str, documents: int) -> None:
        self._url, self._documents = url, documents
        self._step, self._total, self._memory = "", 0.0, 0.0
        self._before = self._now()

    def step(self, name: str) -> None:
        """What follows belongs to this step."""
        self._memory = max(self._memory, sum(_memory(pid) for pid in _processes()))
        if name != self._step:
            if self._step:
                self.row(self._step)
            self._step, self._before = name, self._now()

    def row(self, name: str) -> None:
        """Print what was used since the last row."""
        seconds, client, server = (b - a for a, b in zip(self._before, self._now(), strict=True))
        cpu = f"{client * 1000 / self._documents:.2f} | {server * 1000 / self._documents:.2f}"
        rate = f"{self._documents / seconds:,.0f}"
        print(f"| {name} | {seconds:.1f} | {rate} | {cpu} | {self._memory:,.0f} |", flush=True)
        self._before, self._memory = self._now(), 0.0

    def _now(self) -> tuple[float, float, float]:
        """Seconds, and CPU seconds of this process with its workers, and of the server."""
        nodes = ask(self._url, "GET", "/_nodes/stats/process")["nodes"].values()
        server = sum(node["process"]["cpu"]["total_in_millis"] for node in nodes) / 1000
        return time.monotonic(), sum(map(_cpu, _processes())), server


def _processes() -> list[int]:
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
    return [os.getpid(), *map(int, children)]


def _cpu(pid: int) -> float:
    """CPU seconds of a process and of its children that have ended."""
    try:
        values = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, values[11:15])) / os.sysconf("SC_CLK_TCK")


def _memory(pid: int) -> float:
    """MB that a process holds."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _fill(url: str, numbers: range) -> None:
    lines: list[Any] = []
    for number in numbers:
        text = _text(number)
        source = {"headline": text[:60], "body": text, "published": f"2026-{number % 12 + 1:02}-01"}
        lines += [{"index": {"_id": f"d{number}"}}, source]
    assert ask(url, "POST", f"/{INDEX}/_bulk", *lines)["errors"] is False


def _text(number: int) -> str:
    """A story; every fifth is the one before with another first sentence."""
    if number % COPIES == 1:
        return f"Printed again as number {number}, with thanks to the first. {_text(number - 1)}"
    return " ".join(islice(_words(number), WORDS))


def _words(number: int) -> Iterator[str]:
    chance = random.Random(number)
    while True:
        yield "".join(chance.choices(SYLLABLES, k=chance.choice((1, 2, 2, 3))))


if __name__ == "__main__":
    main()
