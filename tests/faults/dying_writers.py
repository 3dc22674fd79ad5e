"""Random writers in this process that die at their requests, and what one settling makes of it."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from contextlib import closing, suppress

from dupgroups import Deduper, Page, open_engine
from dupgroups.errors import EngineError
from dupgroups_es.base import ClusterEngine
from es_plugin.mortal import Death, Mortal
from flow.scenes import wrong
from stories import story

STORIES = "abcdefgh"
REFRESH = ("1s", "60s")
HOW = ("before", "a part", "after")


Step = Callable[[Deduper], object]


def run(url: str, seed: int) -> tuple[int, list[str]]:
    """Two or three writers at once; each that dies is followed by another one that goes on with its steps.

    How many have died, and what is wrong.
    """
    chance = random.Random(seed)
    refresh = chance.choice(REFRESH)
    deaths: list[int] = []
    writers = [
        threading.Thread(
            target=_write, args=(f"{url}?refresh_interval={refresh}", random.Random(chance.random()), deaths)
        )
        for _ in range(chance.choice((2, 3)))
    ]
    with closing(open_engine(f"{url}?refresh_interval={refresh}")) as engine:
        engine.get(["x"])  # makes the index
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    with closing(Deduper(url)) as deduper:
        deduper.settle()
        return len(deaths), wrong(deduper.engine)


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
    pages = [Page(id=id_, text=_text(chance)) for id_ in ids]
    return lambda deduper: deduper.add_all(pages)


def _text(chance: random.Random) -> str:
    """A story, or half of one and half of the next: such texts hold groups together."""
    first = chance.randrange(0, len(STORIES) - 4, 2)
    parts = STORIES[first : first + chance.choice((3, 3, 5))]
    return "\n".join(story(part, 150) for part in (parts[2:] + parts[:2] if chance.random() < 0.2 else parts))
