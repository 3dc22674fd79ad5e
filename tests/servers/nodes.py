"""Nodes that can be killed with -9 and started again on the data that they had."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from servers import keeper
from servers.launch import Launch, Peer
from servers.ports import free_port
from servers.releases import Release, Server, find_release
from servers.running import DISTRIBUTIONS, home_of, kept, prepared, wait


@dataclass
class Node:
    """A node of a cluster of so many `nodes`; only what this process started is ever killed."""

    server: Server
    launch: Launch
    cluster: str
    nodes: int
    _kept: AbstractContextManager[subprocess.Popen[bytes]] | None = field(default=None, init=False)
    _keeper: subprocess.Popen[bytes] | None = field(default=None, init=False)

    def start(self) -> None:
        """Begin to start; `wait` waits until it is ready."""
        self._kept = kept(self.launch, self.server.log)
        self._keeper = self._kept.__enter__()

    def wait(self, nodes: int | None = None) -> None:
        """Until it is ready, in a cluster of so many nodes (all of them by default)."""
        assert self._keeper
        wait(self.server, self._keeper, self.cluster, nodes or self.nodes)

    def kill(self) -> None:
        """Kill -9."""
        assert self._keeper
        pid = Path(self.server.log.with_name(keeper.PID)).read_text(encoding="ascii")
        os.killpg(int(pid), signal.SIGKILL)
        self._keeper.wait()
        self.stop()

    def stop(self) -> None:
        """Stop it, if it runs."""
        if self._kept:
            self._kept.__exit__(None, None, None)
            self._kept = self._keeper = None


@contextmanager
def nodes(name: str, number: int = 1) -> Iterator[list[Node]]:
    """So many nodes of one cluster, each in a process of its own; their data is gone afterwards."""
    release = find_release(name)
    with ExitStack() as stack:
        homes = [stack.enter_context(home_of(release)) for _ in range(number)]
        cluster, transport = homes[0].name, tuple(free_port() for _ in homes)
        started: list[Node] = []
        for place, (home, port) in enumerate(zip(homes, _ports(release, number), strict=True)):
            peer = Peer(cluster, place, transport) if number > 1 else None
            node = Node(*prepared(release, home, port, peer), cluster, number)
            stack.callback(node.stop)
            node.start()
            started.append(node)
        for node in started:
            node.wait()
        yield started


def _ports(release: Release, number: int) -> set[int]:
    ports: set[int] = set()
    while len(ports) < number:
        ports.add(DISTRIBUTIONS[release.distribution].choose_port())
    return ports
