"""What documents cost a store: seconds, and CPU of the client and of the server."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import astuple, dataclass
from operator import add
from pathlib import Path

from es_plugin.clusters import ask


@dataclass
class Cost:
    """What some documents took: seconds, and of these CPU of the client and of the server."""

    documents: int = 0
    seconds: float = 0.0
    client: float = 0.0
    server: float = 0.0

    def __add__(self, other: Cost) -> Cost:
        return Cost(*map(add, astuple(self), astuple(other)))

    def row(self) -> list[str]:
        """Documents a second, and ms of CPU a document."""
        client, server = (f"{cpu / self.documents * 1000:.2f}" for cpu in (self.client, self.server))
        return [f"{self.documents / self.seconds:,.0f}", client, server]

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Add what this process takes for the block."""
        began = time.monotonic(), time.process_time()
        yield
        self.seconds += time.monotonic() - began[0]
        self.client += time.process_time() - began[1]


def used_by(pids: Iterable[int]) -> tuple[float, float]:
    """Seconds of CPU and MB of memory of these processes."""
    cpu = memory = 0.0
    for pid in pids:
        with suppress(OSError):  # it has ended meanwhile
            values = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            cpu += sum(map(int, values[11:15])) / os.sysconf("SC_CLK_TCK")
            memory += int(values[21]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    return cpu, memory


class Store:
    """What is measured of a store beside its answers."""

    def __init__(self, url: str) -> None:
        self.url, _, self.index = url.partition("?")[0].rpartition("/")
        self.on_server = not url.startswith("sqlite:")

    def cpu(self) -> float:
        """Seconds of CPU of a server until now; 0 without one."""
        if not self.on_server:
            return 0.0
        time.sleep(1.5)  # servers keep their figures for a second
        return cpu_of_server(self.url)


def cpu_of_server(url: str) -> float:
    """Seconds of CPU of all nodes until now."""
    nodes = ask(url, "GET", "/_nodes/stats/process")["nodes"].values()
    return sum(node["process"]["cpu"]["total_in_millis"] for node in nodes) / 1000


def print_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """In Markdown; a row as soon as it is known."""
    print(f"| {' | '.join(heads)} |\n|{' ---: |' * len(heads)}")
    for row in rows:
        print(f"| {' | '.join(row)} |", flush=True)
