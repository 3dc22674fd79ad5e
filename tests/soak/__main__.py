"""`python -m soak NAME [--runs N] [--seed S]`: random runs on one server until one fails or it is stopped."""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import time

from servers import RELEASES, start
from soak.run import run


def main() -> int:
    """Exit status 1 when a run left a wrong group; it prints the seed that shows it again."""
    parser = argparse.ArgumentParser(prog="python -m soak", description=__doc__)
    parser.add_argument("name", choices=list(RELEASES), help="the server to run on")
    parser.add_argument("--runs", type=int, default=0, help="how many runs; 0: until stopped")
    parser.add_argument("--seed", type=int, default=None, help="the seed of the first run")
    options = parser.parse_args()
    first = random.SystemRandom().randrange(1 << 30) if options.seed is None else options.seed
    seeds = itertools.count(first) if not options.runs else range(first, first + options.runs)
    with start(options.name) as server:
        return _soak(f"{server.distribution}://{server.url.removeprefix('http://')}", seeds)


def _soak(url: str, seeds: itertools.count[int] | range) -> int:
    deaths = documents = 0
    print("Repeat a run with --seed and the number that is printed for it.", flush=True)
    began = time.monotonic()
    for number, seed in enumerate(seeds, start=1):
        ended = run(f"{url}/soak-{seed}", seed)
        deaths, documents = deaths + ended.deaths, documents + ended.documents
        if ended.wrong:
            print(f"seed {seed}: {'; '.join(ended.wrong)}", flush=True)
            return 1
        if number % 10 == 0:
            spent = time.monotonic() - began
            print(
                f"{number} runs (last seed {seed}), {deaths} deaths, {documents} documents at their ends, "
                f"0 wrong groups, {spent:.0f} s",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("stopped")
