"""`python -m faults NAME [--runs N] [--seed S]`: random runs on one server until one fails or it is stopped.

Writers that die at a request, and crawlers that die by kill -9.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import time

from faults import dying_writers, killing
from servers import RELEASES, start


def main() -> int:
    """Exit status 1 when a run left a wrong group; it prints the seed that shows it again."""
    parser = argparse.ArgumentParser(prog="python -m faults", description=__doc__)
    parser.add_argument("name", choices=list(RELEASES), help="the server to run on")
    parser.add_argument("--runs", type=int, default=0, help="how many runs; 0: until stopped")
    parser.add_argument("--seed", type=int, default=None, help="the seed of the first run")
    options = parser.parse_args()
    first = random.SystemRandom().randrange(1 << 30) if options.seed is None else options.seed
    print("Repeat a run with --seed and the number that is printed for it.", flush=True)
    killed, began = 0, time.monotonic()
    with start(options.name) as server:
        url = f"{server.distribution}://{server.url.removeprefix('http://')}"
        for seed in itertools.islice(itertools.count(first), options.runs or None):
            died, wrong = run(f"{url}/soak-{seed}", seed)
            killed += died
            if wrong:
                print(f"seed {seed}: {'; '.join(wrong)}", flush=True)
                return 1
            if (runs := seed - first + 1) % 10 == 0:
                spent = time.monotonic() - began
                print(f"{runs} runs, {killed} deaths, no wrong group, {spent:.0f} s", flush=True)
    return 0


def run(url: str, seed: int) -> tuple[int, list[str]]:
    """One run of the kind that the seed chooses: how many have died, what is wrong after one settling."""
    if seed % 2:
        return dying_writers.run(url, seed)
    return killing.run(url, seed, random.Random(seed).choice((1, 2, 2, 3)))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("stopped")
