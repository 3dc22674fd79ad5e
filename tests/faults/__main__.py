"""`python -m faults NAME [--kill WHAT] [--runs N] [--seed S]`: random deaths on one server until a run fails.

Crawlers, or what stands between other writers and the index: filters, these writers, the server.
"""

import argparse
import itertools
import random
import sys
import time

from faults import killing
from filtering.killing import write_through_deaths
from servers import RELEASES
from servers.nodes import Node, running_node

DEATHS = 3  # of a filter, a server or a writer in one run


def main() -> int:
    """Exit status 1 when a run left a wrong group; it prints the seed that shows it again."""
    parser = argparse.ArgumentParser(prog="python -m faults", description=__doc__)
    parser.add_argument("name", choices=list(RELEASES), help="the server to run on")
    parser.add_argument("--kill", choices=["crawler", "filter", "server", "writer"], default="crawler")
    parser.add_argument("--runs", type=int, default=0, help="how many runs; 0: until stopped")
    parser.add_argument("--seed", type=int, default=None, help="the seed of the first run")
    options = parser.parse_args()
    first = random.SystemRandom().randrange(1 << 30) if options.seed is None else options.seed
    print("Repeat a run with --seed and the number that is printed for it.", flush=True)
    killed, began = 0, time.monotonic()
    with running_node(options.name) as node:
        for seed in itertools.islice(itertools.count(first), options.runs or None):
            died, wrong = run(node, options.kill, seed)
            killed += died
            if wrong:
                print(f"seed {seed}: {'; '.join(wrong)}", flush=True)
                return 1
            if (runs := seed - first + 1) % 10 == 0:
                spent = time.monotonic() - began
                print(f"{runs} runs, {killed} deaths, no wrong group, {spent:.0f} s", flush=True)
    return 0


def run(node: Node, kill: str, seed: int) -> tuple[int, list[str]]:
    """How many have died within a write, and what is wrong in the end."""
    server = node.server
    url = f"{server.distribution}://{server.url.removeprefix('http://')}/soak-{seed}"
    if kill == "crawler":
        return killing.run(url, seed, random.Random(seed).choice((1, 2, 2, 3)))
    try:
        return write_through_deaths(url, DEATHS, seed, kill, node if kill == "server" else None), []
    except AssertionError as error:
        return 0, [str(error)]


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("stopped")
