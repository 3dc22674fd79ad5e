"""Start a server on a free loopback port with a data directory of its own, wait for it, stop it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from servers import elasticsearch, keeper, opensearch
from servers.cache import fetch
from servers.java import find_java
from servers.launch import Launch, Peer
from servers.ports import is_free
from servers.releases import Release, Server, ServerUnavailable, find_release

DISTRIBUTIONS = {"opensearch": opensearch, "elasticsearch": elasticsearch}
START_LIMIT = 120.0  # seconds
ATTEMPTS = 3
LOG_LINES = 40

# Tests talk to loopback: a proxy named in the environment is not asked.
_open = urllib.request.build_opener(urllib.request.ProxyHandler({})).open


class PortTaken(ServerUnavailable):
    """Somebody else came to listen on the port between our choosing it and the server's binding it."""


@contextmanager
def start(name: str, port: int | None = None) -> Iterator[Server]:
    """Run the server called `name` for the length of a `with` block; its data is gone afterwards.

    Raises ServerUnavailable when it can't be fetched or does not come up, ValueError for an unknown name.
    """
    release = find_release(name)
    with ExitStack() as stack:
        yield _start(stack, release, port)


def _start(stack: ExitStack, release: Release, port: int | None) -> Server:
    for attempt in range(1, ATTEMPTS + 1):
        chosen = port or DISTRIBUTIONS[release.distribution].choose_port()
        try:
            return stack.enter_context(_running(release, chosen))
        except PortTaken:
            if port or attempt == ATTEMPTS:
                raise
    raise AssertionError("unreachable")


@contextmanager
def _running(release: Release, port: int) -> Iterator[Server]:
    with home_of(release) as home:
        server, launch = prepared(release, home, port)
        with kept(launch, server.log) as process:
            wait(server, process, home.name)
            yield server


@contextmanager
def home_of(release: Release) -> Iterator[Path]:
    home = Path(tempfile.mkdtemp(prefix=f"{release.name}-")).resolve()
    try:
        yield home
    finally:
        shutil.rmtree(home, ignore_errors=True)


def prepared(release: Release, home: Path, port: int, peer: Peer | None = None) -> tuple[Server, Launch]:
    program, java = fetch(release.name), find_java(release)
    distribution = DISTRIBUTIONS[release.distribution]
    several = {"peer": peer} if peer else {}
    launch = distribution.prepare(program, java, home, port, **several)
    url = f"http://127.0.0.1:{port}"
    return Server(release.name, url, release.distribution, release.version, home / "server.log"), launch


@contextmanager
def kept(launch: Launch, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-I", keeper.__file__, str(log.parent), launch.user, *launch.command]
    with log.open("ab") as output:
        process = subprocess.Popen(
            command,
            env=launch.environment,
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        assert process.stdin
        process.stdin.close()
        process.wait()


def wait(server: Server, process: subprocess.Popen[bytes], cluster: str, nodes: int = 1) -> None:
    """Return once the server is ready; which cluster answers is compared, for the port may be another's."""
    patience, port = START_LIMIT * nodes, int(server.url.rpartition(":")[2])
    limit = time.monotonic() + patience
    while time.monotonic() < limit:
        ready = _ready_cluster(server.url, nodes)
        if ready == cluster:
            return
        if ready or (process.poll() is not None and not is_free(port)):
            raise PortTaken(f"{server.name} can't have port {port}: something else listens there")
        if process.poll() is not None:
            raise ServerUnavailable(f"{server.name} ended while it was starting", _tail(server.log))
        time.sleep(0.2)
    raise ServerUnavailable(f"{server.name} was not ready after {patience:.0f} s", _tail(server.log))


def _ready_cluster(url: str, nodes: int) -> str:
    """Name of the cluster of so many nodes whose health is yellow or green; empty while there is none."""
    path = f"_cluster/health?wait_for_status=yellow&wait_for_nodes=>={nodes}&timeout=1s"
    try:
        with _open(f"{url}/{path}", timeout=5) as answer:
            return str(json.load(answer)["cluster_name"])
    except (OSError, ValueError, KeyError):
        return ""


def _tail(log: Path) -> str:
    return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-LOG_LINES:])
