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
from servers.launch import Launch
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
    program, java = fetch(release.name), find_java(release)
    home = Path(tempfile.mkdtemp(prefix=f"{release.name}-")).resolve()
    try:
        launch = DISTRIBUTIONS[release.distribution].prepare(program, java, home, port)
        url = f"http://127.0.0.1:{port}"
        server = Server(release.name, url, release.distribution, release.version, home / "server.log")
        with _kept(launch, server.log) as process:
            _wait(server, process, port)
            yield server
    finally:
        shutil.rmtree(home, ignore_errors=True)


@contextmanager
def _kept(launch: Launch, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-I", keeper.__file__, str(log.parent), launch.user, *launch.command]
    with log.open("wb") as output:
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


def _wait(server: Server, process: subprocess.Popen[bytes], port: int) -> None:
    """Return once the server is ready; which cluster answers is compared, for the port may be another's."""
    limit = time.monotonic() + START_LIMIT
    while time.monotonic() < limit:
        cluster = _ready_cluster(server.url)
        if cluster == server.log.parent.name:
            return
        if cluster or (process.poll() is not None and not is_free(port)):
            raise PortTaken(f"{server.name} can't have port {port}: something else listens there")
        if process.poll() is not None:
            raise ServerUnavailable(f"{server.name} ended while it was starting", _tail(server.log))
        time.sleep(0.2)
    raise ServerUnavailable(f"{server.name} was not ready after {START_LIMIT:.0f} s", _tail(server.log))


def _ready_cluster(url: str) -> str:
    """Name of the cluster whose health is yellow or green; empty while there is none."""
    try:
        with _open(f"{url}/_cluster/health?wait_for_status=yellow&timeout=1s", timeout=5) as answer:
            return str(json.load(answer)["cluster_name"])
    except (OSError, ValueError, KeyError):
        return ""


def _tail(log: Path) -> str:
    return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-LOG_LINES:])
