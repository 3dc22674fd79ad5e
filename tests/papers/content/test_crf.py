"""CE-BEST: the best labelling against trying all, what it makes of pages, and the features of its paper."""

import sys
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from content.pages import news_page
from content.pipelines import HARBOUR, pipeline
from dupgroups.content.blocks import divide
from dupgroups.errors import ConfigError, MissingExtraError
from dupgroups_papers.content.crf import Chain, viterbi
from dupgroups_papers.content.crf_feature_sets import Paper
from dupgroups_papers.content.crf_features import bag
from dupgroups_papers.content.hashed_bag_of_words import HASH_BUCKETS, bucket
from dupgroups_papers.content.named_entities import recogniser

weights = st.integers(-6, 6).map(float)
chains = st.lists(weights, max_size=9)
turns = st.lists(weights, min_size=4, max_size=4).map(lambda odds: [odds[:2], odds[2:]])


def total(labels: tuple[bool, ...], odds: list[float], moves: list[list[float]]) -> float:
    """The sum that the best labelling has the greatest of."""
    gained = sum(value for value, label in zip(odds, labels, strict=True) if label)
    return gained + sum(moves[before][after] for before, after in pairwise(labels))


@given(chains, turns)
def test_viterbi_finds_what_trying_all_labellings_finds(odds: list[float], moves: list[list[float]]) -> None:
    found = tuple(viterbi(odds, moves))
    assert len(found) == len(odds)
    assert total(found, odds, moves) == max(
        total(labelling, odds, moves) for labelling in product((False, True), repeat=len(odds))
    )


def test_a_block_has_its_words_and_the_names_around_it() -> None:
    page = divide("<div class=story-body><div><p>Hello</p></div></div><p>Hello</p>")
    found = bag(page)
    inside, outside = ({int(number) for number in found.bucket[found.owner == at]} for at in (0, 1))
    assert inside - outside == {bucket(feature) for feature in (".story", ".body", "<div>")}
    assert inside & outside >= {bucket("hello"), bucket("<p>"), bucket("<<p")}


PAPER = Chain(
    column=np.array([0, 1]),
    edge=np.array([2.0, 0.5], np.float32),
    edge_weight=np.array([1.0, -4.0], np.float32),
    words=np.bincount([bucket("fog")], [0.25], HASH_BUCKETS).astype(np.float32),
    turns=np.zeros((2, 2), np.float32),
    level=-0.5,
    features="paper",
)


def test_the_weights_say_which_features_they_are_of() -> None:
    """The first block has more than e² - 1 tokens and two of the word, the second is a link."""
    page = divide("<p>Fog and more fog lay on the harbour all day<p><a href=/>Fog</a>")
    assert PAPER.odds(page, "").tolist() == [1.0, -4.25]
    assert PAPER.odds(divide(""), "").tolist() == []


def test_weights_of_features_that_are_not_here_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"unknown feature set 'os:system'; choose one of"):
        Chain.of(replace(PAPER, features="os:system").arrays())


def test_arrays_keep_weights_and_features() -> None:
    page = divide(news_page())
    paper = Chain.of(PAPER.arrays())
    assert paper.features == "paper"
    assert paper.odds(page, "").tolist() == PAPER.odds(page, "").tolist()


@pytest.mark.slow  # needs spaCy, which only `make test-all` installs
def test_mentions_are_counted_by_kind(tmp_path: Path) -> None:
    names = HARBOUR | {"Tuesday": "DATE", "Humber": "LOC", "John Roe": "PER"}
    counts = recogniser(pipeline(tmp_path, names))
    assert counts("Jane Doe and John Roe left Hull on the Humber on Tuesday.") == (2, 2, 0)
    assert counts("The Coast Guard, Hull: the Coast Guard.") == (0, 1, 2)
    assert counts("") == (0, 0, 0)


def test_without_spacy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(MissingExtraError, match=r"needs an extra: pip install 'dup-groups\[entities\]'$"):
        recogniser("en_core_web_sm")


def test_words_count_as_often_as_they_come_however_long_the_block() -> None:
    filler = "unread " * 40
    bags = Paper()(divide(f"<p>Fog, fog and {filler} FOG</p><p>Fog"), "").bags
    assert [int((bags.bucket[bags.owner == block] == bucket("fog")).sum()) for block in (0, 1)] == [3, 1]


def test_tags_are_those_in_and_around_the_block() -> None:
    page = divide("<div class=story><p>Ice <b>and <a href=/>fog</a></b><p><i></i>Rain<p>Sun</div>")
    bags = Paper()(page, "").bags
    first, second, third = ({int(number) for number in bags.bucket[bags.owner == at]} for at in range(3))
    assert second - {bucket("rain")} == third - {bucket("sun")}
    assert third == {bucket(feature) for feature in ("sun", "<<p", "<p>", "<div>", "<body>", "<html>")}
    assert first - third == {bucket(feature) for feature in ("ice", "and", "fog", "<a>", "<b>")}


def test_the_share_in_links_is_of_tokens_and_not_of_characters() -> None:
    page = divide("<p>I am at <a href=/>headquarters</a></p><a href=/><p>Read on<p>Now</a><p>…</p>")
    chinese = Paper()(divide("<p>渡轮<a href=/>相撞</a>"), "").numbers
    assert np.allclose(chinese, [[np.log(5), 0.5]])  # a character is a token
    numbers = Paper()(page, "").numbers
    assert np.allclose(numbers, [[np.log(5), 0.25], [np.log(3), 1], [np.log(2), 1], [0, 0]])


@pytest.mark.slow
def test_named_entities_are_counted_by_kind(tmp_path: Path) -> None:
    page = divide("<p>Jane Doe left Hull for Hull.<p>Nobody did.")
    numbers = Paper(pipeline(tmp_path, HARBOUR))(page, "").numbers
    assert np.allclose(numbers[:, 2:], np.log1p([[1, 2, 0], [0, 0, 0]]))
