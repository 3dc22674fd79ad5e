"""Pages for faults: made stories in many copies, some of which hold two groups together."""

from __future__ import annotations

import random

from dupgroups import Page
from stories import story

STORIES = 10
COPIES = (["abc"] * 3 + ["cde"] * 3 + ["abcde"], ["abc"] * 4 + ["abcd"] * 2, ["abc", "cde"], ["abc"])


def pages(seed: int) -> list[Page]:
    """Some 45 pages in a random order; the same ones for the same seed.

    Copies of `abc` and `cde` are two groups, which a copy of `abcde` joins.
    """
    chance = random.Random(seed)
    made = []
    for number in range(STORIES):
        for copy, parts in enumerate(COPIES[number % len(COPIES)]):
            id_ = f"s{number}-{copy}"
            text = "\n".join(story(f"{number}{part}", 150) for part in parts)
            made.append(Page(id=id_, url=f"https://site{copy}.example/{number}", text=text))
    chance.shuffle(made)
    return made
