"""The share that keys find of the pairs that the judge joins."""

from __future__ import annotations

from dupgroups.model.config import Config
from dupgroups_lab.duplicates.keys import KeyRecall, look_up
from stories import reprints

STORIES, COPIES = 6, 3
PAIRS = STORIES * COPIES * (COPIES - 1) // 2


def recall_with(config: Config) -> KeyRecall:
    return look_up(reprints(STORIES, COPIES).values(), config)


def test_the_default_keys_find_all_that_is_joined_among_few_candidates() -> None:
    result = recall_with(Config())
    assert (result.documents, result.joined, result.found) == (STORIES * COPIES, PAIRS, PAIRS)
    assert result.recall == 1.0
    assert result.keys == 17
    assert result.candidates == COPIES - 1
