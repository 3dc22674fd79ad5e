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
from contextlib import closing
from pathlib import Path
from typing import Any

from dupgroups.engines import open_engine
from dupgroups_filter.grouper import Groupers
from filtering.process import filter_process
from filtering.running import (
    all_bare,
    ask_port,
    bulk,
    documents,
    groups,
    make,
    offline,
    partition,
    sources,
)
from processes import environment
from servers.nodes import Node, nodes

BATCH = 6
LONGEST = 1.0  # seconds from the start of a life to its end, at most


class Pile:
    """Documents for so many deaths, and the bulks that have not been answered yet."""

    def __init__(self, engine_url: str, deaths: int) -> None:
        self.engine_url, self.index = engine_url, make(engine_url)
        self.made = documents(6, 10 * deaths)
        ids = list(self.made)
        self.rest = [ids[start : start + BATCH] for start in range(0, len(ids), BATCH)]

    def lines(self, ids: list[str]) -> list[Any]:
        """A bulk."""
        return bulk({id_: self.made[id_] for id_ in ids})

    def write(self, port: int) -> bool:
        """Whether the next bulk was answered, and all of it is stored."""
        try:
            answer = ask_port(port, "POST", f"/{self.index}/_bulk", self.lines(self.rest[0]))
        except (OSError, http.client.HTTPException):
            return False
        if answer.status != 200 or answer.json["errors"]:
            return False
        self.rest.pop(0)
        return True

    def check(self) -> None:
        """AssertionError unless all is stored once, and in its group as soon as somebody has looked."""
        with closing(open_engine(self.engine_url)) as engine:
            Groupers(engine).look()
        assert all_bare(sources(self.engine_url, self.index)) == self.made
        assert partition(groups(self.engine_url)) == offline(self.made)


def write_through_deaths(engine_url: str, deaths: int, seed: int) -> int:
    """Write documents through a filter that is killed so many times; the number of deaths within a write.

    AssertionError unless everything is stored once, and in its group, when the last filter has ended.
    """
    pile, rng, cut = Pile(engine_url, deaths), random.Random(seed), 0
    for life in range(deaths + 1):
        with filter_process(engine_url) as filter_:
            if life < deaths:
                threading.Timer(rng.uniform(0, LONGEST), filter_.process.kill).start()
            while pile.rest and pile.write(filter_.port):
                pass
            cut += bool(pile.rest)
            if life < deaths:
                filter_.process.wait(60)
    pile.check()
    return cut


def write_while_servers_die(engine_url: str, deaths: int, seed: int, node: Node) -> int:
    """As `write_through_deaths`, with one filter and a server that comes back on its data."""
    pile, rng, cut = Pile(engine_url, deaths), random.Random(seed), 0
    share = -(-len(pile.rest) // (deaths + 1))
    with filter_process(f"{engine_url}?retries=0") as filter_:
        for _ in range(deaths):
            killer = threading.Timer(rng.uniform(0, LONGEST), node.kill)
            killer.start()
            end = max(0, len(pile.rest) - share)
            while len(pile.rest) > end:
                if not pile.write(filter_.port) and killer.finished.is_set():
                    cut += 1
                    break
            killer.join()
            node.start()
            node.wait()
        while pile.rest:
            pile.write(filter_.port)
    pile.check()
    return cut


def write_by_dying_writers(engine_url: str, deaths: int, seed: int) -> int:
    """As `write_through_deaths`, with one filter, and writers of which each goes on after the last bulk that
    was answered to those before.
    """
    pile, rng, cut = Pile(engine_url, deaths), random.Random(seed), 0
    with tempfile.TemporaryDirectory() as folder, filter_process(engine_url) as filter_:
        bulks, answered = Path(folder, "bulks.json"), Path(folder, "answered")
        bulks.write_text(json.dumps([pile.lines(ids) for ids in pile.rest]), encoding="utf-8")
        answered.touch()
        script = str(Path(__file__).with_name("repeating.py"))
        command = [sys.executable, script, str(filter_.port), pile.index, str(bulks), str(answered)]
        for life in range(deaths + 1):
            writer = subprocess.Popen(command, env=environment())
            if life < deaths:
                time.sleep(rng.uniform(0, LONGEST))
                writer.kill()
            assert writer.wait(600) in (0, -9)
            cut += writer.returncode != 0
        assert answered.stat().st_size == len(pile.rest)
    pile.check()
    return cut


def main() -> None:
    """Print how many deaths there were, and how many of them within a write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kill", choices=("filter", "server", "writer"), default="filter")
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", help="URL of an index that is not there yet")
    options = parser.parse_args()
    began, url, node = time.monotonic(), options.engine, None
    with contextlib.ExitStack() as stack:
        if not url or options.kill == "server":
            (node,) = stack.enter_context(nodes("opensearch-3"))
            url = f"opensearch://{node.server.url.removeprefix('http://')}/soak-filter"
        if options.kill == "server" and node:
            cut = write_while_servers_die(url, options.times, options.seed, node)
        else:
            killer = write_through_deaths if options.kill == "filter" else write_by_dying_writers
            cut = killer(url, options.times, options.seed)
    print(
        f"{options.kill}: {options.times} kills, {cut} of them within a write, "
        f"{60 * options.times} documents, seed {options.seed}, {time.monotonic() - began:.0f} s: "
        "everything is stored once, in its group"
    )


if __name__ == "__main__":
    main()
