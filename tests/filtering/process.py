"""`dup-groups filter` in a process of its own, and what it and its children use."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from filtering.running import Filter
from processes import process_tree, started


@dataclass
class FilterProcess(Filter):
    """A filter that runs."""

    process: subprocess.Popen[bytes]

    def memory(self) -> int:
        """Resident bytes of it and its children; what processes share is counted for each of them."""
        return 1024 * sum(_status(pid, "VmRSS") for pid in process_tree(self.process.pid))

    def threads(self) -> int:
        return sum(_status(pid, "Threads") for pid in process_tree(self.process.pid))


@contextmanager
def filter_process(engine_url: str, *options: str) -> Iterator[FilterProcess]:
    """A filter in front of an index; it is ended as a service manager does, and killed if it lives on."""
    fields = ["--fields", "text=body,title=headline,url=link", "--listen", "127.0.0.1:{port}"]
    command = ["-m", "dupgroups", "filter", "--engine", engine_url, *fields, *options]
    with started(command, Path.cwd(), health="/_dup_groups/health") as running:
        yield FilterProcess(running.port, engine_url, running.process)
        running.process.terminate()
        running.process.wait(120)


def _status(pid: int, name: str) -> int:
    """A number of /proc/PID/status; 0 for a process that has ended."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith(f"{name}:"):
                return int(line.split()[1])
    return 0
