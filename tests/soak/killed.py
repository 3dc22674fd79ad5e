"""One random run: crawler processes that die by kill -9."""

from __future__ import annotations

import random

from faults import killing
from soak.run import Ended


def run(url: str, seed: int) -> Ended:
    """One, two or three crawlers; see `faults.killing.run`."""
    ended = killing.run(url, seed, random.Random(seed).choice((1, 2, 2, 3)))
    return Ended(ended.killed, ended.found.documents, ended.found.groups, ended.found.wrong)
