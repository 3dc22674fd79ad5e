"""Weighted phrases: plain arithmetic, filters that drop what they should, estimates."""

from __future__ import annotations

from collections.abc import Callable
from math import log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.model import Content
from dupgroups.text.hashing import Hashes, windows
from dupgroups.text.sentences import tokens
from dupgroups.text.sets import resemblance
from dupgroups_papers.codecs.weight_codec import estimate_shared
from dupgroups_papers.corpus.frequencies import Frequencies
from dupgroups_papers.signatures.weighted_phrases import WeightedPhrases
from stories import running_chinese, running_text

WORDS = [f"w{at}" for at in range(30)]
DOCUMENTS = 30
ARITHMETIC: dict[str, Callable[[int], float]] = {
    "df2": lambda df: df * df,
    "log_idf": lambda df: log(DOCUMENTS / df),
    "log3_df": lambda df: log(df) ** 3,
}
texts = st.lists(st.sampled_from([*WORDS, "unheard"]), max_size=80)


def phrases(text: str, size: int = 3) -> Hashes:
    return windows(tokens(text).hashes, size)


def learned(corpus: list[str], size: int = 3) -> Frequencies:
    return Frequencies.of_texts(corpus, size)


KNOWN = learned([" ".join(WORDS[at:]) for at in range(DOCUMENTS)])  # w[n] stands in n + 1 of 30 documents


def by_arithmetic(words: list[str], weighting: str) -> dict[tuple[str, ...], float]:
    found = {}
    for at in range(len(words) - 2):
        df = WORDS.index(words[at]) + 1 if words[at] in WORDS else 1
        found[tuple(words[at : at + 3])] = ARITHMETIC[weighting](df)
    return {phrase: weight for phrase, weight in found.items() if weight > 0}


@pytest.mark.parametrize("weighting", ARITHMETIC)
@given(words=texts)
def test_weights_are_those_of_plain_arithmetic(weighting: str, words: list[str]) -> None:
    signer = WeightedPhrases(3, weighting, common=100, frequencies=KNOWN)
    found, weights = signer.weigh_phrases(Content(" ".join(words)))
    truth = by_arithmetic(words, weighting)
    assert len(found) == len(truth)
    assert sorted(weights.tolist()) == pytest.approx(sorted(truth.values()))


def test_phrases_of_too_many_documents_weigh_nothing() -> None:
    """A line of the template on 6 of 10 pages, under a limit of 60 % and under one of 50 %."""
    line = "all rights reserved by us"
    pages = [f"a{at} b{at} c{at} d{at} " + line * (at < 6) for at in range(10)]
    signer = {
        limit: WeightedPhrases(3, "uniform", common=limit, frequencies=learned(pages)) for limit in (50, 60)
    }
    kept = {
        limit: set(method.weigh_phrases(Content(pages[0]))[0].tolist()) for limit, method in signer.items()
    }
    assert kept[60] - kept[50] == set(phrases(line).tolist())
    assert len(kept[60]) == 4 + 5 - 2


@pytest.mark.parametrize(("make", "size"), [(running_text, 7), (running_chinese, 12)])
@pytest.mark.parametrize("weighting", ["uniform", "df2"])
def test_the_estimate_is_near_the_exact_value(make: Callable[[str], str], size: int, weighting: str) -> None:
    """Texts that share from none to all of their paragraphs, judged from 256 samples and from all weights."""
    estimating, exact = (WeightedPhrases(size, weighting, samples=count) for count in (256, 0))
    one, other = make("a").split("\n"), make("b").split("\n")
    off = []
    for part in range(0, 25, 2):
        pages = [Content("\n".join(words)) for words in (one, one[:part] + other[part:])]
        estimate, truth = (
            resemblance(*estimate_shared(*(signer(page).body for page in pages)))
            for signer in (estimating, exact)
        )
        off.append((estimate - truth) / sqrt(max(truth * (1 - truth), 1e-3) / 256))
    assert max(map(abs, off)) < 4
    assert off[-1] == 0  # the whole text
