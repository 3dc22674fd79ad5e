"""Weights of words and phrases: worked examples, filters that drop what they should, estimates."""

from collections.abc import Callable
from math import sqrt

import pytest

from dupgroups.model import Content
from dupgroups.text.hashing import Hashes, windows
from dupgroups.text.sentences import tokens
from dupgroups.text.sets import resemblance
from dupgroups_papers.codecs.vector_codec import cosine
from dupgroups_papers.codecs.weight_codec import estimate_shared
from dupgroups_papers.corpus.frequencies import Frequencies, terms
from dupgroups_papers.signatures.cosine import Cosine
from dupgroups_papers.signatures.weighted_phrases import WeightedPhrases
from stories import running_chinese, running_text


def test_words_weigh_by_how_often_they_come_and_how_rare_they_are() -> None:
    """Of three documents, "fog" stands in one, weight log 2, and "ice" in two, log 4/3."""
    known = Frequencies.learn(map(terms, ("fog and", "ice and", "ice and")))
    signer = Cosine(least=1, frequencies=known)
    fog, both, twice = (signer(Content(text)).body for text in ("fog", "fog and ice", "fog ice fog"))
    assert [cosine(fog, other) for other in (fog, both, twice)] == pytest.approx(
        [1, 0.9236, 0.9791], abs=2e-3
    )


def phrases(text: str, size: int = 3) -> Hashes:
    return windows(tokens(text).hashes, size)


def learned(corpus: list[str], size: int = 3) -> Frequencies:
    return Frequencies.of_texts(corpus, size)


@pytest.mark.parametrize(
    ("weighting", "weights"), [("df2", [4, 9]), ("log_idf", [0.6931, 0.2877]), ("log3_df", [0.333, 1.3259])]
)
def test_a_phrase_weighs_as_its_first_word_is_frequent(weighting: str, weights: list[float]) -> None:
    """Of four documents, "fog" stands in two, and "ice" in three."""
    known = learned(["fog lay on", "ice lay on fog", "ice broke", "ice"])
    signer = WeightedPhrases(3, weighting, common=100, frequencies=known)
    found = {text: signer.weigh_phrases(Content(text))[1].tolist() for text in ("fog lay on", "ice lay on")}
    assert [weight for (weight,) in found.values()] == pytest.approx(weights, abs=1e-4)


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
    for part in range(0, 25, 4):
        pages = [Content("\n".join(words)) for words in (one, one[:part] + other[part:])]
        estimate, truth = (
            resemblance(*estimate_shared(*(signer(page).body for page in pages)))
            for signer in (estimating, exact)
        )
        off.append((estimate - truth) / sqrt(max(truth * (1 - truth), 1e-3) / 256))
    assert max(map(abs, off)) < 4
    assert off[-1] == 0  # the whole text
