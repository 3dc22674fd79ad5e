"""Filters, servers and writers that are killed at random moments; nothing may be lost or doubled.

    python -m filtering.killing --kill filter|server|writer [--times 20] [--seed 1] [--engine URL]

URL names an index that is not there yet, of a server that runs already. Without it a server is started, and a
server that is to be killed always is.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from dupgroups.engines import open_engine
from dupgroups.engines.url import EngineURL
from dupgroups_filter.grouper import Groupers
from es_plugin.clusters import ask
from filtering.running import MAPPING, ask_port, bare, bulk, documents, offline, partition, sources
from processes import environment, free_port
from servers.nodes import Node, nodes

BATCH = 6
LONGEST = 1.0  # seconds from the start of a life to its end, at most
NAMES = ("filter", "server", "writer")


@contextmanager
def process(engine_url: str, port: int, log: Path, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """A filter in a process of its own; it is ended as a service manager does, and killed if it lives on."""
    command = [sys.executable, "-m", "dupgroups", "filter", "--engine", engine_url]
    names = ["--fields", "text=body,title=headline,url=link", "--listen", f"127.0.0.1:{port}"]
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
    index, port, rng = _index(engine_url), free_port(), random.Random(seed)
    made, rest = _pile(kills)
    cut = 0
    for life in range(kills + 1):
        with process(engine_url, port, log) as running:
            if life < kills:
                threading.Timer(rng.uniform(0, LONGEST), running.kill).start()
            while rest and _is_written(port, index, {id_: made[id_] for id_ in rest[0]}):
                rest.pop(0)
            cut += bool(rest)
            if life < kills:
                running.wait(60)
    check(engine_url, made)
    return cut


def write_while_servers_die(node: Node, engine_url: str, kills: int, seed: int, log: Path) -> int:
    """As `write_through_deaths`, with one filter and a server that comes back on its data."""
    index, port, rng = _index(engine_url), free_port(), random.Random(seed)
    made, rest = _pile(kills)
    cut, share = 0, -(-len(rest) // (kills + 1))
    with process(f"{engine_url}?retries=0", port, log):
        for life in range(kills + 1):
            killer = threading.Timer(rng.uniform(0, LONGEST), node.kill)
            if life < kills:
                killer.start()
            end = len(rest) - share if life < kills else 0
            while len(rest) > max(0, end):
                if _is_written(port, index, {id_: made[id_] for id_ in rest[0]}):
                    rest.pop(0)
                elif life < kills and killer.finished.is_set():
                    cut += 1
                    break
            if life < kills:
                killer.join()
                node.start()
                node.wait()
    check(engine_url, made)
    return cut


def write_by_dying_writers(engine_url: str, kills: int, seed: int, log: Path) -> int:
    """As `write_through_deaths`, with one filter, and writers of which each goes on after the last bulk that
    was answered to those before.
    """
    index, port, rng = _index(engine_url), free_port(), random.Random(seed)
    made, rest = _pile(kills)
    pile, answered = log.with_name("pile.json"), log.with_name("answered")
    pile.write_text(json.dumps([bulk({id_: made[id_] for id_ in ids}) for ids in rest]), encoding="utf-8")
    answered.touch()
    command = [sys.executable, str(Path(__file__).with_name("repeating.py")), str(port), index]
    cut = 0
    with process(engine_url, port, log):
        for life in range(kills + 1):
            writer = subprocess.Popen([*command, str(pile), str(answered)], env=environment())
            if life < kills:
                time.sleep(rng.uniform(0, LONGEST))
                writer.kill()
            assert writer.wait(600) in (0, -9)
            cut += writer.returncode != 0
    assert answered.stat().st_size == len(rest)
    check(engine_url, made)
    return cut


def _index(engine_url: str) -> str:
    """Make the index."""
    index = EngineURL.parse(engine_url, {}).path
    ask(engine_url, "PUT", f"/{index}", MAPPING)
    return index


def _pile(kills: int) -> tuple[dict[str, dict[str, Any]], list[list[str]]]:
    """Documents for so many deaths, and the ids of each bulk."""
    made = documents(6, 10 * kills)
    ids = list(made)
    return made, [ids[start : start + BATCH] for start in range(0, len(ids), BATCH)]


def check(engine_url: str, made: dict[str, dict[str, Any]]) -> None:
    """AssertionError unless everything is stored once, and in its group as soon as somebody has looked."""
    with closing(open_engine(engine_url)) as engine:
        Groupers(engine).look()
    stored = sources(engine_url, EngineURL.parse(engine_url, {}).path)
    assert {id_: bare(source) for id_, source in stored.items()} == made
    assert partition({id_: source["dup_group"] for id_, source in stored.items()}) == offline(made)


def _is_written(port: int, index: str, made: dict[str, dict[str, Any]]) -> bool:
    """Whether a bulk was answered, and all of it is stored."""
    try:
        answer = ask_port(port, "POST", f"/{index}/_bulk", bulk(made))
    except (OSError, http.client.HTTPException):
        return False
    return answer.status == 200 and not answer.json["errors"]


KILLERS: dict[str, Callable[[str, int, int, Path], int]] = {
    "filter": write_through_deaths,
    "writer": write_by_dying_writers,
}


def main() -> None:
    """Print how many deaths there were, and how many of them within a write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kill", choices=NAMES, default="filter")
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", help="URL of an index that is not there yet")
    options = parser.parse_args()
    began = time.monotonic()
    with contextlib.ExitStack() as stack:
        log = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "log"
        if options.engine and options.kill != "server":
            cut = KILLERS[options.kill](options.engine, options.times, options.seed, log)
        else:
            (node,) = stack.enter_context(nodes("opensearch-3"))
            url = f"opensearch://{node.server.url.removeprefix('http://')}/soak-filter"
            killer = KILLERS.get(options.kill, lambda *given: write_while_servers_die(node, *given))
            cut = killer(url, options.times, options.seed, log)
    print(
        f"{options.kill}: {options.times} kills, {cut} of them within a write, "
        f"{60 * options.times} documents, seed {options.seed}, {time.monotonic() - began:.0f} s: "
        "everything is stored once, in its group"
    )


if __name__ == "__main__":
    main()
