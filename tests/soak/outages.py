"""One random run: the server is busy for a minute, and a patient or an impatient crawl meets that."""

from __future__ import annotations

import random

from faults import outage
from soak.run import Ended

SECONDS = 60.0


def run(url: str, seed: int) -> Ended:
    """Answers of 429 or 503 for a minute; what became a dead letter is replayed."""
    chance = random.Random(seed)
    options = chance.choice(("", "retries=0", "retries=20"))
    found = outage.run(url, seed, chance.choice((429, 503)), SECONDS, options).found
    return Ended(0, found.documents, found.groups, found.wrong)
