"""SimHash has the values of its package and keys within the distance; I-Match keeps the words it should."""

import random
from collections.abc import Iterable
from itertools import combinations
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from simhash import Simhash

from dupgroups.model import Content, Record
from dupgroups_papers.corpus.frequencies import Frequencies, terms
from dupgroups_papers.signatures.imatch import IMatch
from dupgroups_papers.signatures.simhash import HASH_BITS, SimHash, block_keys, block_masks, simhash, slides
from dupgroups_papers.verdicts.fingerprints import Fingerprints
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
    """Brute force: all ways to turn up to two bits, and 1,000 ways to turn `within`."""
    masks = block_masks(blocks, within)
    rng = random.Random(blocks)
    value = rng.getrandbits(HASH_BITS)
    keys = set(block_keys(value, masks))
    turns = [*combinations(range(HASH_BITS), min(2, within))]
    turns += [tuple(rng.sample(range(HASH_BITS), within)) for _ in range(1000)]
    for turn in turns:
        other = value ^ sum(1 << bit for bit in turn)
        assert keys & set(block_keys(other, masks)), turn


WORDS = [f"w{at}" for at in range(60)]


def corpus() -> Iterable[str]:
    """The word w[n] stands in n + 1 of 60 documents."""
    return (" ".join(WORDS[at:]) for at in range(60))


FREQUENCIES = Frequencies.learn(terms(text) for text in corpus())
whole = IMatch(low=0.1, high=0.5, lexicons=0, least=1, frequencies=FREQUENCIES)


def window(words: Iterable[str]) -> set[str]:
    """The same by plain arithmetic."""
    rarity = {word: log(61 / (at + 2)) / log(61) for at, word in enumerate(WORDS)}
    return {word for word in words if 0.1 <= rarity[word] <= 0.5}


texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=80)


@given(texts, texts)
def test_texts_agree_exactly_when_they_keep_the_same_words(one: list[str], two: list[str]) -> None:
    first, second = whole(Content(" ".join(one))), whole(Content(" ".join(two)))
    assert bool(first) is bool(window(one))
    if first and second:
        assert (first.keys == second.keys) is (window(one) == window(two))
        same = Fingerprints()(Record("", "", "", first), Record("", "", "", second)).relation
        assert (same == "duplicate") is (window(one) == window(two))


def test_a_random_lexicon_forgives_a_word_that_it_lacks() -> None:
    """One more word changes the prints of the lexicons that hold it: two thirds of all, and the whole one."""
    signer = IMatch(low=0.01, high=0.99, lexicons=29, frequencies=FREQUENCIES)
    forgiven = []
    for at in range(20, 50):
        rest = [word for word in WORDS[5:55] if word != WORDS[at]]
        prints = [
            np.frombuffer(signer(Content(" ".join(words))).body, ">u8")
            for words in (rest, [*rest, WORDS[at]])
        ]
        assert prints[0][0] != prints[1][0]
        forgiven.append((prints[0][1:] == prints[1][1:]).mean())
    assert np.mean(forgiven) == pytest.approx(0.33, abs=4 * (0.33 * 0.67 / (30 * 29)) ** 0.5)
