"""What a crawl counted and timed: as Scrapy stats at its end, and for Prometheus while it runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from dupgroups.flow.dead_letters import waiting
from dupgroups.metrics import Tally, table


def stats(tally: Tally) -> Iterator[tuple[str, float]]:
    """The Scrapy stats of what a Deduper has counted and timed, without the prefix `dupgroups/`."""
    candidates = tally.distributions(table.CANDIDATES)[()]
    yield "lookups", candidates.count
    yield "candidates", int(candidates.total)
    for (relation,), number in tally.numbers(table.VERDICTS).items():
        yield f"verdict/{relation}", number
    yield "replans", tally.numbers(table.REPLANS)[()]
    yield "engine_retries", tally.numbers(table.RETRIES)[()]
    for (step,), seconds in tally.distributions(table.STEP_SECONDS).items():
        yield f"seconds/{step}", round(seconds.total, 3)


def listen(
    host: str, port: int, deduper: Callable[[], Tally], states: Mapping[str, int], dead_letters: Path
) -> Callable[[], None]:
    """Serve the metrics of a crawl until the returned function is called.

    `states` counts the items by state. Raises ConfigError if the port cannot be used, MissingExtraError
    without prometheus-client.
    """
    from dupgroups.metrics.exposition import exposition, listen

    def crawled() -> Tally:
        tally = Tally()
        for state, number in dict(states).items():
            tally.set(table.ITEMS, number, state)
        tally.set(table.DEAD_LETTERS, waiting(dead_letters))
        return tally

    return listen(exposition([(table.DEDUPED, deduper), (table.CRAWLED, crawled)]), host, port)
