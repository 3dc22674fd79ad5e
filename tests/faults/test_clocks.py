"""Writers whose clocks jump by hours, stand still, or are years apart."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import ExitStack, closing

import pytest

from dupgroups import Deduper
from dupgroups.flow import now
from faults import corpus
from faults.checks import faults_left

HOUR = 3_600_000_000  # microseconds
CLOCKS: dict[str, Callable[[random.Random], int]] = {
    "hours forwards and backwards": lambda chance: now() + chance.randrange(-9 * HOUR, 9 * HOUR),
    "years": lambda chance: now() + chance.choice((-1, 0, 1)) * 24 * 365 * 9 * HOUR,
    "standing still": lambda chance: 0,
}


@pytest.mark.parametrize("clock", CLOCKS)
@pytest.mark.parametrize(
    "engine_url", ["sqlite", pytest.param("opensearch-3", marks=pytest.mark.server)], indirect=True
)
def test_writers_with_wild_clocks(engine_url: str, clock: str) -> None:
    pages, chance = corpus.pages(6), random.Random(6)
    with ExitStack() as stack:
        writers = [
            stack.enter_context(closing(Deduper(engine_url, clock=lambda: CLOCKS[clock](chance))))
            for _ in range(3)
        ]
        for start in range(0, len(pages), 3):
            writers[start % 7 % 3].add_all(pages[start : start + 3])
    assert faults_left(engine_url, pages, [str(page.id) for page in pages]) == []
