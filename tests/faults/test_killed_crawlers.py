"""Crawlers that die by kill -9 at random moments; another process settles once."""

from __future__ import annotations

import random

import pytest

from faults.killing import run

RUNS = 6  # `make soak` goes on


@pytest.mark.whole
@pytest.mark.parametrize(
    "engine_url",
    ["sqlite", pytest.param("opensearch-3", marks=pytest.mark.server)],
    indirect=True,
)
def test_one_settling_mends_what_killed_crawlers_left(engine_url: str) -> None:
    first = random.SystemRandom().randrange(1 << 30)
    crawlers = killed = 0
    for seed in range(first, first + RUNS):
        print("seed", seed)
        ended, wrong = run(f"{engine_url}-{seed}", seed, crawlers=1 + seed % 2)
        assert wrong == [], f"seed {seed}"
        crawlers += 1 + seed % 2
        killed += ended
    assert killed > crawlers / 2
