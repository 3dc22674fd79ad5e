"""TF-IDF vectors: the cosine is that of plain arithmetic, keys go to texts of like weights."""

from __future__ import annotations

import random
from collections import Counter
from math import log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.model import Content
from dupgroups_papers.codecs.vector_codec import cosine
from dupgroups_papers.corpus.frequencies import Frequencies, terms
from dupgroups_papers.signatures.cosine import Cosine

WORDS = [f"w{at}" for at in range(40)]
FREQUENCIES = Frequencies.learn(terms(" ".join(WORDS[at:])) for at in range(40))
IDF = {word: log(41 / (at + 2)) for at, word in enumerate(WORDS)}
signer = Cosine(least=1, frequencies=FREQUENCIES)
texts = st.lists(st.sampled_from(WORDS[:-1]), min_size=1, max_size=80)  # the last one stands in all documents


def exact(one: list[str], two: list[str]) -> float:
    a, b = ({word: n * IDF[word] for word, n in Counter(words).items()} for words in (one, two))
    norms = sqrt(sum(x * x for x in a.values()) * sum(x * x for x in b.values()))
    return sum(a[word] * b.get(word, 0.0) for word in a) / norms


@given(texts, texts)
def test_the_cosine_is_that_of_plain_arithmetic(one: list[str], two: list[str]) -> None:
    bodies = [signer(Content(" ".join(words))).body for words in (one, two)]
    assert cosine(*bodies) == pytest.approx(exact(one, two), abs=2e-3)  # half-precision weights
    assert cosine(*bodies) == cosine(*reversed(bodies))
    assert cosine(bodies[0], bodies[0]) == 1.0


def test_keys_are_shared_more_by_texts_of_like_weights() -> None:
    rng = random.Random(3)
    words = ["".join(rng.choices("abcdefgh", k=6)) for _ in range(400)]
    keys = Cosine()(Content(" ".join(words[:100]))).keys
    shared = [
        len(set(keys) & set(Cosine()(Content(" ".join(words[start : start + 100]))).keys))
        for start in (0, 10, 40, 200)
    ]
    assert shared[0] == 30
    assert shared == sorted(shared, reverse=True)
    assert shared[1] >= 8 > shared[3] == 0
