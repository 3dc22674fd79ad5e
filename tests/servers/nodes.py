"""Start the nodes of a server on free loopback ports, each with data of its own, wait for them, stop them.

A node can be killed with -9, and started again on the data that it had.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from servers import elasticsearch, keeper, opensearch
from servers.cache import fetch
from servers.java import find_java
from servers.launch import Launch, Peer
from servers.ports import free_port, is_free
from servers.releases import Release, Server, ServerUnavailable, find_release

DISTRIBUTIONS = {"opensearch": opensearch, "elasticsearch": elasticsearch}
START_LIMIT = 120.0  # seconds
ATTEMPTS = 3
LOG_LINES = 40

# Tests talk to loopback: a proxy named in the environment is not asked.
_open = urllib.request.build_opener(urllib.request.ProxyHandler({})).open


class PortTaken(ServerUnavailable):
    """Somebody else came to listen on the port between our choosing it and the server's binding it."""


@dataclass
class Node:
    """A node of a cluster of so many `nodes`; only what this process started is ever killed."""

    server: Server
    launch: Launch
    cluster: str
    nodes: int
    _keeper: subprocess.Popen[bytes] | None = field(default=None, init=False)

    def start(self) -> None:
        """Begin to start; `wait` waits until it is ready."""
        log = self.server.log
        command = [sys.executable, "-I", keeper.__file__, log.parent, self.launch.user, *self.launch.command]
        with log.open("ab") as output:
            self._keeper = subprocess.Popen(
                command,
                env=self.launch.environment,
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def wait(self, nodes: int | None = None) -> None:
        """Until it is ready, in a cluster of so many nodes (all of them by default)."""
        assert self._keeper
        nodes = nodes or self.nodes
        patience, name, port = START_LIMIT * nodes, self.server.name, int(self.server.url.rpartition(":")[2])
        limit = time.monotonic() + patience
        while time.monotonic() < limit:
            # which cluster answers is compared, for the port may be another's
            if (ready := _ready_cluster(self.server.url, nodes)) == self.cluster:
                return
            if ready or (self._keeper.poll() is not None and not is_free(port)):
                raise PortTaken(f"{name} can't have port {port}: something else listens there")
            if self._keeper.poll() is not None:
                raise ServerUnavailable(f"{name} ended while it was starting", _tail(self.server.log))
            time.sleep(0.2)
        raise ServerUnavailable(f"{name} was not ready after {patience:.0f} s", _tail(self.server.log))

    def kill(self) -> None:
        """Kill -9."""
        assert self._keeper
        pid = self.server.log.with_name(keeper.PID).read_text(encoding="ascii")
        os.killpg(int(pid), signal.SIGKILL)
        self._keeper.wait()
        self.stop()

    def stop(self) -> None:
        """Stop it, if it runs."""
        if self._keeper:
            assert self._keeper.stdin
            self._keeper.stdin.close()
            self._keeper.wait()
            self._keeper = None


@contextmanager
def start(name: str, port: int | None = None) -> Iterator[Server]:
    """Run the server called `name` for the length of a `with` block; its data is gone afterwards.

    Raises ServerUnavailable when it can't be fetched or does not come up, ValueError for an unknown name.
    """
    with nodes(name, port=port) as [node]:
        yield node.server


@contextmanager
def nodes(name: str, number: int = 1, port: int | None = None) -> Iterator[list[Node]]:
    """So many nodes of one cluster, each in a process of its own; `port` is for one alone."""
    release = find_release(name)
    for attempt in range(1, ATTEMPTS + 1):
        with ExitStack() as stack:
            try:
                started = _started(stack, release, [port] if port else _ports(release, number))
            except PortTaken:
                if port or attempt == ATTEMPTS:
                    raise
                continue
            yield started
            return


def _started(stack: ExitStack, release: Release, ports: list[int]) -> list[Node]:
    program, java = fetch(release.name), find_java(release)
    homes = [_home(stack, release) for _ in ports]
    transport = tuple(free_port() for _ in ports)
    started: list[Node] = []
    for number, (home, port) in enumerate(zip(homes, ports, strict=True)):
        peer = Peer(homes[0].name, number, transport) if len(ports) > 1 else None
        launch = DISTRIBUTIONS[release.distribution].prepare(program, java, home, port, peer)
        url, log = f"http://127.0.0.1:{port}", home / "server.log"
        server = Server(release.name, url, release.distribution, release.version, log)
        node = Node(server, launch, homes[0].name, len(ports))
        stack.callback(node.stop)
        node.start()
        started.append(node)
    for node in started:
        node.wait()
    return started


def _home(stack: ExitStack, release: Release) -> Path:
    home = Path(tempfile.mkdtemp(prefix=f"{release.name}-")).resolve()
    stack.callback(shutil.rmtree, home, ignore_errors=True)
    return home


def _ports(release: Release, number: int) -> list[int]:
    ports: set[int] = set()
    while len(ports) < number:
        ports.add(DISTRIBUTIONS[release.distribution].choose_port())
    return [*ports]


def _ready_cluster(url: str, nodes: int) -> str:
    """Name of the cluster of so many nodes whose health is yellow or green; empty while there is none."""
    path = f"_cluster/health?wait_for_status=yellow&wait_for_nodes=>={nodes}&timeout=1s"
    with suppress(OSError, ValueError, KeyError), _open(f"{url}/{path}", timeout=5) as answer:
        return str(json.load(answer)["cluster_name"])
    return ""


def _tail(log: Path) -> str:
    return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-LOG_LINES:])
