"""Writers and filters that are killed at random moments; nothing may be lost or doubled.

python -m filtering.killing URL KILLS SEED runs it for longer, against a server that runs already.
"""

from __future__ import annotations

import contextlib
import http.client
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dupgroups.engines.url import EngineURL
from es_plugin.clusters import ask
from filtering.running import MAPPING, ask_port, bare, bulk, documents, offline, partition, sources
from processes import environment, free_port

BATCH = 6


@contextmanager
def process(engine_url: str, port: int, log: Path, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """A filter in a process of its own; it is ended as a service manager does, and killed if it lives on."""
    command = [sys.executable, "-m", "dupgroups", "filter", "--engine", engine_url, "--text-field", "body"]
    names = ["--title-field", "headline", "--url-field", "link", "--listen", f"127.0.0.1:{port}"]
    with log.open("ab") as written:
        started = subprocess.Popen(
            [*command, *names, *options], env=environment(), stdout=written, stderr=subprocess.STDOUT
        )
    try:
        wait(started, port, log)
        yield started
        started.terminate()
        started.wait(120)
    finally:
        started.kill()
        started.wait()


def wait(started: subprocess.Popen[bytes], port: int, log: Path) -> None:
    end = time.monotonic() + 120
    while time.monotonic() < end:
        assert started.poll() is None, log.read_text()
        with contextlib.suppress(OSError):
            ask_port(port, "GET", "/_dup_groups/health")
            return
        time.sleep(0.05)
    raise AssertionError(f"the filter does not start: {log.read_text()}")


def write_through_deaths(engine_url: str, kills: int, seed: int, log: Path) -> int:
    """Write documents through a filter that is killed so many times; the number of deaths within a write.

    AssertionError unless everything is stored once, and in its group, when the last filter has ended.
    """
    index, port, rng = EngineURL.parse(engine_url, {}).path, free_port(), random.Random(seed)
    ask(engine_url, "PUT", f"/{index}", MAPPING)
    made = documents(6, 10 * kills)
    ids = list(made)
    rest = [ids[start : start + BATCH] for start in range(0, len(ids), BATCH)]
    cut = 0
    for life in range(kills + 1):
        with process(engine_url, port, log, "--patience", "60") as running:
            if life < kills:
                threading.Timer(rng.uniform(0, 1.0), running.kill).start()
            while rest and _is_written(port, index, {id_: made[id_] for id_ in rest[0]}):
                rest.pop(0)
            cut += bool(rest)
            if life < kills:
                running.wait(60)
    stored = sources(engine_url, index)
    assert {id_: bare(source) for id_, source in stored.items()} == made
    assert partition({id_: source["dup_group"] for id_, source in stored.items()}) == offline(made)
    return cut


def _is_written(port: int, index: str, made: dict[str, dict[str, Any]]) -> bool:
    """Whether a bulk was answered before the filter died."""
    try:
        answer = ask_port(port, "POST", f"/{index}/_bulk", bulk(made))
    except (OSError, http.client.HTTPException):
        return False
    assert answer.status == 200
    assert not answer.json["errors"]
    return True


def main(engine_url: str, kills: str, seed: str) -> None:
    """Write through so many deaths, into an index that is not there yet."""
    with tempfile.TemporaryDirectory() as folder:
        cut = write_through_deaths(engine_url, int(kills), int(seed), Path(folder) / "log")
    print(f"{kills} kills, {cut} of them within a write: everything is stored once, in its group")


if __name__ == "__main__":
    main(*sys.argv[1:])
