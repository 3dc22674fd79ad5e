"""Commands that serve something over HTTP, run as processes of their own, as a user runs them."""

import itertools
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.message import Message
from http.client import HTTPConnection
from pathlib import Path
from typing import IO, Any

# loopback is never asked through a proxy
ask_loopback = urllib.request.build_opener(urllib.request.ProxyHandler({})).open


# below those that systems give to whoever asks for any, and other ones for each worker of a test run
_PORTS = range(20_000 + int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]), 32_000, 16)
_ports = itertools.cycle(random.sample(_PORTS, len(_PORTS)))


def free_port() -> int:
    """A port of 127.0.0.1 that nobody uses now, and nobody takes before it is used."""
    while True:
        with suppress(OSError), socket.create_server(("127.0.0.1", next(_ports))) as listener:
            return int(listener.getsockname()[1])


def process_tree(pid: int) -> list[int]:
    """The ids of a process and of all that it started."""
    found = [pid]
    for member in found:
        with suppress(OSError):  # it has ended meanwhile
            tasks = Path(f"/proc/{member}/task").iterdir()
            found += [int(child) for task in tasks for child in (task / "children").read_text().split()]
    return found


def environment(**more: str) -> dict[str, str]:
    """The environment of a process that imports what the tests import."""
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "PYTHONUNBUFFERED": "1",
        **more,
    }


@dataclass(frozen=True)
class Answer:
    """What a server said; the names of its headers are read in any case."""

    status: int
    headers: Message
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def answer(
    connection: HTTPConnection, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
) -> Answer:
    connection.request(method, path, body, dict(headers))
    response = connection.getresponse()
    return Answer(response.status, response.headers, response.read())


@dataclass
class Command:
    """A running command; `port` is where it serves, `stop` ends it and returns all that it printed."""

    process: subprocess.Popen[bytes]
    port: int
    log: IO[bytes] = field(repr=False)

    def get(self, path: str, host: str = "127.0.0.1") -> str:
        """The body of a response; `host` is the name in the request, which goes to 127.0.0.1 in any case."""
        headers = {"Host": f"{host}:{self.port}"}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", headers=headers)
        with ask_loopback(request, timeout=120) as answer:
            return str(answer.read().decode())

    def printed(self) -> str:
        """What it has printed so far. It shares its place in the file with us, so nothing is rewound."""
        return os.pread(self.log.fileno(), 1 << 24, 0).decode()

    def stop(self) -> str:
        """End it as Ctrl+C does; returns what it has printed."""
        self.process.terminate()
        self.process.wait(120)
        return self.printed()

    def wait(self, path: str = "/healthz", seconds: float = 120) -> None:
        """Until it responds on this path."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            assert self.process.poll() is None, self.printed()
            try:
                self.get(path)
                return
            except OSError as error:  # it is still starting, or what it needs does not answer yet
                if isinstance(error, urllib.error.HTTPError) and error.code != 503:
                    raise
                time.sleep(0.05)
        raise AssertionError(f"no response in {seconds} s: {self.printed()}")


@contextmanager
def started(
    arguments: Sequence[str],
    folder: Path,
    env: Mapping[str, str] | None = None,
    health: str = "/healthz",
    python: str | Path = sys.executable,
) -> Iterator[Command]:
    """Run Python with these arguments in a folder, and wait until it responds on the path `health`; `{port}`
    is a free port.
    """
    port = free_port()
    command = [python, *(argument.replace("{port}", str(port)) for argument in arguments)]
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            command, cwd=folder, env=env or environment(), stdout=log, stderr=subprocess.STDOUT
        )
        try:
            running = Command(process, port, log)
            running.wait(health)
            yield running
        finally:
            process.kill()
            process.wait()
