"""SpotSigs: the paper's example, the bag's measure, and all pairs without comparing all pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.errors import ConfigError
from dupgroups.model import Content, Record, Signature
from dupgroups_papers.codecs.set_codec import shared
from dupgroups_papers.signatures.spotsigs import ANTECEDENTS, SpotSigs
from dupgroups_papers.sketches.similarity_join import candidate_pairs, earlier_similar, similar_pairs
from dupgroups_papers.text.function_words import STOPWORDS
from dupgroups_papers.verdicts.jaccard import Jaccard
from stories import running_chinese, running_text

PAPER = (
    "at a rally to kick off a weeklong campaign for the South Carolina primary Obama tried to set the record "
    "straight from an attack circulating widely on the Internet that is designed to play into prejudices"
)
SPOTS = [
    "a:rally:kick",
    "a:weeklong:campaign",
    "the:South:Carolina",
    "the:record:straight",
    "an:attack:circulating",
    "the:Internet:designed",
    "is:designed:play",
]


def test_the_example_of_the_paper() -> None:
    assert SpotSigs(antecedents="a an the is").spots(PAPER.split()) == SPOTS


def test_distance_leaves_words_out_and_the_end_cuts_no_chain_short() -> None:
    words = "the one two three four five a six".split()
    signer = SpotSigs(antecedents="the a", spot_distance=2, chain_length=2, skipped="")
    assert signer.spots(words) == ["the:two:four"]
    assert SpotSigs(antecedents="the a", chain_length=4, skipped="").spots(words) == [
        "the:one:two:three:four"
    ]
    assert SpotSigs(antecedents="the a", chain_length=7, skipped="").spots(words) == []


def test_without_skipped_words_chains_pass_over_antecedents_only() -> None:
    assert SpotSigs(antecedents="a", skipped="").spots(PAPER.split())[:2] == [
        "a:rally:to",
        "a:weeklong:campaign",
    ]


words = st.lists(st.sampled_from("the a is rain sun wind fell rose on in Ashvale".split()), max_size=60)


@given(one=words, two=words)
def test_the_body_is_the_bag_of_spots(one: list[str], two: list[str]) -> None:
    signer = SpotSigs(least=1)
    bags = [Counter(signer.spots(words)) for words in (one, two)]
    signed = [signer(Content(" ".join(words))) for words in (one, two)]
    assert [bool(signature) for signature in signed] == [bool(bag) for bag in bags]
    if all(bags):
        both = (bags[0] & bags[1]).total()
        assert shared(signed[0].body, signed[1].body) == (both, bags[0].total(), bags[1].total())


@pytest.mark.parametrize("make", [running_text, running_chinese])
def test_an_edited_story_keeps_its_spots_and_menus_have_none(make: Callable[[str], str]) -> None:
    text = make("a")
    menu = "\n".join(["Home", "Sport", "World news", "首页", "体育"] * 20)
    other = make("b")
    original, edited, alien = (
        Record("x", "", "", SpotSigs()(Content(page))) for page in (text, f"{menu}\n{text[:-200]}", other)
    )
    assert Jaccard()(original, edited).relation == "duplicate"
    assert set(original.signature.keys) & set(edited.signature.keys)
    assert Jaccard()(original, alien).relation == "different"
    assert not SpotSigs()(Content(menu))


@pytest.mark.parametrize("name", [*ANTECEDENTS, "stopwords"])
def test_every_list_of_antecedents_makes_spots(name: str) -> None:
    text = "There is the man who said the word that it was, a will have to do. " * 4 + PAPER
    assert SpotSigs(antecedents=name, least=1)(Content(text))


def test_stop_words_are_words_each_once() -> None:
    listed = STOPWORDS.split()
    assert len(listed) == len(set(listed)) > 250


bags = st.lists(st.sets(st.integers(0, 25), max_size=14), max_size=14)


@given(bags, st.floats(0.01, 1.0) | st.sampled_from([0.1, 0.2, 0.25, 0.5, 2 / 3, 0.75, 0.9, 1.0]))
def test_all_similar_pairs_are_found_and_no_others(made: list[set[int]], threshold: float) -> None:
    sets = [np.array(sorted(members), np.uint32) for members in made]
    truth = {
        (i, j, len(made[i] & made[j]) / len(made[i] | made[j]))
        for i, j in combinations(range(len(made)), 2)
        if made[i] and made[j] and len(made[i] & made[j]) / len(made[i] | made[j]) >= threshold
    }
    found = list(similar_pairs(sets, threshold))
    assert len(found) == len(set(found))
    assert set(found) == truth


def test_hardly_more_than_the_similar_pairs_are_compared() -> None:
    """Of 100 signatures, 25 stories in four versions, few pairs but those of one story are compared."""
    signed = []
    for story in range(25):
        lines = running_text(str(story)).split("\n")
        signed += [SpotSigs()(Content("\n".join(lines[cut:]))) for cut in range(4)]
    sets = SpotSigs().sets([signature.body for signature in signed])
    found = {(i, j) for i, j, _ in similar_pairs(sets, 0.8)}
    judged = [Record("", "", "", signature) for signature in signed]
    truth = {
        (i, j)
        for i, j in combinations(range(100), 2)
        if Jaccard(threshold=0.8)(judged[i], judged[j]).relation == "duplicate"
    }
    assert found == truth
    assert len(found) > 100
    assert sum(1 for _ in candidate_pairs(sets, 0.8)) <= 25 * 6


def test_frequent_features_bring_no_candidates() -> None:
    """200 sets that all hold the same 20 of their 60 members: only the rare ones are looked up."""
    frequent = list(range(20))
    sets = [np.array([*frequent, *range(100 * at, 100 * at + 40)], np.uint32) for at in range(1, 201)]
    assert list(candidate_pairs(sets, 0.5)) == []


def test_a_shared_feature_that_comes_too_late_brings_no_candidate() -> None:
    """Two rarer members stand before the shared one, so 8 of 10 could agree, of the 9 that 0.8 needs."""
    frequent = list(range(50, 57))
    sets = [np.array([*rare, 9, *frequent], np.uint32) for rare in ([1, 2], [3, 4])]
    assert list(candidate_pairs([*sets, *[np.array(frequent, np.uint32)] * 2], 0.8)) == [(3, 2)]


def test_empty_signatures_are_in_no_pair() -> None:
    empty = SpotSigs().sets([Signature(SpotSigs().scheme).body] * 2)
    assert list(similar_pairs(empty, 0.1)) == list(similar_pairs([], 0.5)) == []
    assert list(earlier_similar(empty, 0.1, 9)) == []


@given(bags, st.floats(0.1, 1.0), st.integers(1, 4))
def test_the_earlier_sets_are_the_most_similar_ones(
    made: list[set[int]], threshold: float, limit: int
) -> None:
    sets = [np.array(sorted(members), np.uint32) for members in made]
    truth = {}
    for later, members in enumerate(made):
        alike = [len(members & other) / max(1, len(members | other)) for other in made[:later]]
        order = sorted(
            (place for place in range(later) if alike[place] >= threshold), key=lambda i: -alike[i]
        )
        truth |= {later: order[:limit]} if order else {}
    assert list(earlier_similar(sets, threshold, limit)) == list(truth.items())


@pytest.mark.parametrize("threshold", [0.0, -0.5, 1.01])
def test_a_threshold_is_a_share(threshold: float) -> None:
    with pytest.raises(ValueError, match="above 0 and at most 1"):
        list(similar_pairs([], threshold))


@pytest.mark.parametrize("text", ["", "the", "It is the end.", "的了。"])
def test_a_tiny_text_has_no_keys(text: str) -> None:
    assert not SpotSigs()(Content(text))


@pytest.mark.parametrize(
    "wrong",
    [
        {"antecedents": " "},
        {"antecedents": 7},
        {"spot_distance": 0},
        {"chain_length": 0},
        {"minima": 1},
        {"minima": 61},
        {"least": 0},
    ],
)
def test_wrong_parameters_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ConfigError):
        SpotSigs(**wrong)  # type: ignore[arg-type]
