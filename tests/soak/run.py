"""Random runs: writers that die at writes, crawlers that are killed, a server that is busy for a minute."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass

from dupgroups import Deduper, open_engine
from dupgroups.audit import audit
from dupgroups.errors import EngineError
from dupgroups_es.base import ClusterEngine
from es_plugin.clusters import groups, page
from es_plugin.mortal import Death, Mortal
from faults import killing, outage

STORIES = "abcdefgh"
HOW = ("before", "a part", "after")
OUTAGE = 60.0  # seconds
RARELY = 25  # one of so many runs meets an outage

Step = Callable[[Deduper], object]


@dataclass(frozen=True)
class Ended:
    """How many writers died, the documents at the end, and what is wrong."""

    deaths: int
    documents: int
    wrong: tuple[str, ...]


def run(url: str, seed: int) -> Ended:
    """One run of the kind that the seed chooses, with one settling at its end."""
    chance = random.Random(seed)
    if seed % RARELY == 0:
        patience = chance.choice(("", "retries=0", "retries=20"))
        found = outage.run(url, seed, chance.choice((429, 503)), OUTAGE, patience).found
        return Ended(0, found.documents, found.wrong)
    if seed % 2:
        killed = killing.run(url, seed, chance.choice((1, 2, 2, 3)))
        return Ended(killed.killed, killed.found.documents, killed.found.wrong)
    return _mortal_writers(url, chance)


def _mortal_writers(url: str, chance: random.Random) -> Ended:
    """Two or three writers at once; each that dies is followed by another one that goes on with its steps."""
    url = f"{url}?refresh_interval={chance.choice(('1s', '60s'))}"
    deaths: list[int] = []
    writers = [
        threading.Thread(target=_write, args=(url, random.Random(chance.random()), deaths))
        for _ in range(chance.choice((2, 3)))
    ]
    with closing(open_engine(url)) as engine:
        engine.get(["x"])  # makes the index
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    with closing(Deduper(url)) as deduper:
        deduper.settle()
        checks = audit(deduper.engine)
        wrong = tuple(f"{check.name}: {check.detail}" for check in checks if not check.ok)
        return Ended(len(deaths), len(groups(deduper.engine)), wrong)


def _write(url: str, chance: random.Random, deaths: list[int]) -> None:
    steps = [_step(chance) for _ in range(chance.randint(4, 9))]
    while steps:
        deduper = Deduper(url)
        engine = deduper.engine
        assert isinstance(engine, ClusterEngine)
        if chance.random() < 0.7:
            engine.cluster.client = Mortal(engine.cluster.client, chance.randint(1, 8), chance.choice(HOW))
        try:
            while steps:
                with suppress(EngineError):
                    steps[0](deduper)
                del steps[0]
            if chance.random() < 0.5:
                deduper.settle()
        except Death:
            deaths.append(1)
            if chance.random() < 0.5 and steps:
                del steps[0]  # nobody repeats what it died of
        finally:
            engine.close()


def _step(chance: random.Random) -> Step:
    kind = chance.choices(("add", "delete", "settle"), (8, 2, 2))[0]
    if kind == "settle":
        return lambda deduper: deduper.settle()
    if kind == "delete":
        ids = chance.sample([f"d{number}" for number in range(30)], chance.randint(1, 4))
        return lambda deduper: deduper.delete(ids)
    ids = [f"d{chance.randrange(30)}" for _ in range(chance.randint(1, 8))]
    pages = [page(id_, _parts(chance)) for id_ in ids]
    return lambda deduper: deduper.add_all(pages)


def _parts(chance: random.Random) -> str:
    """A story, or half of one and half of the next: such texts hold groups together."""
    first = chance.randrange(0, len(STORIES) - 4, 2)
    parts = STORIES[first : first + chance.choice((3, 3, 5))]
    return parts[2:] + parts[:2] if chance.random() < 0.2 else parts
