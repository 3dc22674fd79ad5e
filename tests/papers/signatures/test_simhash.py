"""SimHash: the values of the package `simhash`, and keys that find every value within the distance."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from simhash import Simhash

from dupgroups.model import Content
from dupgroups_papers.signatures.simhash import HASH_BITS, SimHash, block_keys, block_masks, simhash, slides
from stories import chinese_story, story

weights = st.dictionaries(
    st.text(max_size=8), st.integers(1, 90) | st.integers(1, 8).map(lambda weight: weight / 8), max_size=250
)


@given(weights.filter(bool) | st.lists(st.text(max_size=8), min_size=1) | st.text().map(slides))
def test_any_features_give_the_value_of_the_package(features: dict[str, float] | list[str]) -> None:
    assert simhash(features) == Simhash(features).value


@pytest.mark.parametrize("text", [story("a", 700), chinese_story("b")])
def test_the_body_is_the_value_of_the_package(text: str) -> None:
    body = SimHash(features="slides")(Content(text)).body
    assert int.from_bytes(body, "big") == Simhash(text).value


@pytest.mark.parametrize(("within", "blocks"), [(1, 2), (2, 4), (3, 4), (3, 5), (3, 6)])
def test_every_value_within_the_distance_shares_a_key(within: int, blocks: int) -> None:
    """Brute force: all ways to turn up to two bits, and 5,000 ways to turn `within`."""
    masks = block_masks(blocks, within)
    rng = random.Random(blocks)
    value = rng.getrandbits(HASH_BITS)
    keys = set(block_keys(value, masks))
    turns = [*combinations(range(HASH_BITS), min(2, within))]
    turns += [tuple(rng.sample(range(HASH_BITS), within)) for _ in range(5000)]
    for turn in turns:
        other = value ^ sum(1 << bit for bit in turn)
        assert keys & set(block_keys(other, masks)), turn
