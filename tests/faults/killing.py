"""One run: crawlers die by kill -9 at random moments, some go on, and another process settles once."""

import random
import tempfile
from pathlib import Path

from faults.processes import Worker
from faults.workers import BATCH, crawl, faults_left, made_pages

PAUSE = 0.03  # seconds at most from the report of a batch to the kill: a batch takes about as long


def run(url: str, seed: int, crawlers: int) -> tuple[int, list[str]]:
    """So many crawlers share the pages. Each is killed; half of the runs go on with new ones to the end.

    How many were killed before they came to their end, and what is wrong after one settling.
    """
    chance = random.Random(seed)
    pages = made_pages(seed)
    parts = [pages[number::crawlers] for number in range(crawlers)]
    options = "" if url.startswith("sqlite") else f"?refresh_interval={chance.choice(('1s', '30s'))}"
    settle_every = chance.choice((0, 0, 3))
    with tempfile.TemporaryDirectory() as directory:
        dead = Path(directory) / "dead.jsonl"

        def start() -> list[Worker]:
            return [Worker(crawl, f"{url}{options}", part, dead, settle_every) for part in parts]

        started = start()
        killed = sum(
            worker.kill(chance.randint(0, len(pages) // BATCH // crawlers), chance.uniform(0, PAUSE))
            for worker in started
        )
        if goes_on := chance.random() < 0.5:
            started += (resumed := start())
            assert [worker.end() for worker in resumed] == [0] * crawlers
        stored = set().union(*(worker.stored for worker in started))
        return killed, faults_left(url, pages, stored, dead if goes_on else None)
