"""Start a server on a free loopback port, with data of its own, wait for it, stop it.

A node can be killed with -9, and started again on the data that it had.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from processes import ask_loopback
from servers import elasticsearch, keeper, opensearch
from servers.cache import fetch
from servers.java import Launch
from servers.releases import Release, Server, ServerUnavailable, find_release

DISTRIBUTIONS = {"opensearch": opensearch, "elasticsearch": elasticsearch}
START_LIMIT = 120.0  # seconds
MEMORY = Path("/dev/shm")  # where Linux has files in memory
MIN_MEMORY_BYTES = 4 << 30  # free memory with which the data of a server is kept there
ATTEMPTS = 3
LOG_LINES = 40


@dataclass
class Node:
    """The one node of a cluster; only what this process started is ever killed."""

    server: Server
    launch: Launch
    cluster: str
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

    def wait(self) -> None:
        """Until it is ready."""
        assert self._keeper
        name, log = self.server.name, self.server.log
        limit = time.monotonic() + START_LIMIT
        while self._keeper.poll() is None and time.monotonic() < limit:
            # which cluster answers is compared, for the port may be another's
            if _ready_cluster(self.server.url) == self.cluster:
                return
            time.sleep(0.2)
        end = "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-LOG_LINES:])
        raise ServerUnavailable(f"{name} ended, or was not ready after {START_LIMIT:.0f} s", end)

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
def start(name: str, port: int = 0) -> Iterator[Server]:
    """Run the server called `name` for the length of a `with` block; its data is gone afterwards. Port
    0 is any that is free.

    Raises ServerUnavailable when it can't be fetched or does not come up, ValueError for an unknown name.
    """
    with running_node(name, port) as node:
        yield node.server


@contextmanager
def running_node(name: str, port: int = 0) -> Iterator[Node]:
    """As `start`, with a node that can be killed and started again."""
    release, program = find_release(name), fetch(name)
    for attempt in range(1, ATTEMPTS + 1):
        with ExitStack() as stack:
            try:
                node = _started(stack, release, program, port)
            except ServerUnavailable:  # somebody else may have taken the port meanwhile
                if attempt == ATTEMPTS:
                    raise
                continue
            yield node
            return


def _started(stack: ExitStack, release: Release, program: Path, port: int) -> Node:
    distribution = DISTRIBUTIONS[release.distribution]
    home = Path(tempfile.mkdtemp(prefix=f"{release.name}-")).resolve()
    stack.callback(keeper.remove, home)
    _link_data(home)
    port = port or distribution.choose_port()
    launch = distribution.prepare(program, home, port)
    url, log = f"http://127.0.0.1:{port}", home / "server.log"
    node = Node(Server(release.name, url, release.distribution, release.version, log), launch, home.name)
    stack.callback(node.stop)
    node.start()
    node.wait()
    return node


def _link_data(home: Path) -> None:
    """Make the folder of the data, in memory if there is enough: tests make thousands of tiny indices, for
    which a disk that is asked to keep each write takes twice the time.
    """
    data = home / keeper.DATA
    if MEMORY.is_dir() and min(shutil.disk_usage(MEMORY).free, _free_memory()) > MIN_MEMORY_BYTES:
        data.symlink_to(tempfile.mkdtemp(prefix=f"{home.name}-", dir=MEMORY))
    else:
        data.mkdir()


def _free_memory() -> int:
    """In bytes."""
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _ready_cluster(url: str) -> str:
    """Name of the cluster whose health is yellow or green; empty while there is none."""
    path = "_cluster/health?wait_for_status=yellow&timeout=1s"
    with suppress(OSError, ValueError, KeyError), ask_loopback(f"{url}/{path}", timeout=5) as answer:
        return str(json.load(answer)["cluster_name"])
    return ""
