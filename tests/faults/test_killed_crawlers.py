"""Crawlers that die by kill -9 at random moments; another process settles once."""

from __future__ import annotations

import random

import pytest

from faults.killing import run

RUNS = {"sqlite": 6, "opensearch-3": 20, "elasticsearch-8.19": 6}


@pytest.mark.parametrize("crawlers", [1, 2])
@pytest.mark.parametrize(
    ("engine_url", "runs"),
    [
        pytest.param(name, runs, marks=[] if name == "sqlite" else pytest.mark.server)
        for name, runs in RUNS.items()
    ],
    indirect=["engine_url"],
)
def test_one_settling_mends_what_killed_crawlers_left(engine_url: str, runs: int, crawlers: int) -> None:
    first = random.SystemRandom().randrange(1 << 30)
    killed = 0
    for seed in range(first, first + runs):
        print("seed", seed)
        ended = run(f"{engine_url}-{seed}", seed, crawlers)
        assert ended.found.wrong == (), f"seed {seed}"
        killed += ended.killed
    assert killed > runs * crawlers / 2
