"""`dup-groups filter` in a process of its own, and what it and its children use."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filtering.running import Answer, ask_port
from processes import Command, started


@dataclass
class FilterProcess:
    """A filter that runs."""

    command: Command

    @property
    def port(self) -> int:
        return self.command.port

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """One request through the filter; a list as body is a bulk."""
        return ask_port(self.port, method, path, body, **headers)

    def tree(self) -> list[int]:
        """The ids of its process and of all that it started."""
        found = [self.command.process.pid]
        for pid in found:
            with contextlib.suppress(OSError):  # it has ended
                tasks = Path(f"/proc/{pid}/task").iterdir()
                found += [int(child) for task in tasks for child in (task / "children").read_text().split()]
        return found

    def memory(self) -> int:
        """Resident bytes of the tree; what processes share is counted for each of them."""
        return 1024 * sum(_status(pid, "VmRSS") for pid in self.tree())

    def threads(self) -> int:
        return sum(_status(pid, "Threads") for pid in self.tree())

    def sockets(self) -> int:
        """Open sockets of the tree."""
        return sum(_sockets(pid) for pid in self.tree())


@contextmanager
def filter_process(engine_url: str, *options: str) -> Iterator[FilterProcess]:
    """A filter in front of an index; it is ended as a service manager does."""
    fields = ["--fields", "text=body,title=headline", "--listen", "127.0.0.1:{port}"]
    command = ["-m", "dupgroups", "filter", "--engine", engine_url, *fields, *options]
    with started(command, Path.cwd(), health="/_dup_groups/health") as running:
        yield FilterProcess(running)
        running.stop()


def _sockets(pid: int) -> int:
    with contextlib.suppress(OSError):
        return sum(_is_socket(file) for file in Path(f"/proc/{pid}/fd").iterdir())
    return 0


def _is_socket(file: Path) -> bool:
    with contextlib.suppress(OSError):  # it was closed
        return str(file.readlink()).startswith("socket:")
    return False


def _status(pid: int, name: str) -> int:
    """A number of /proc/PID/status; 0 for a process that has ended."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith(f"{name}:"):
                return int(line.split()[1])
    return 0
