"""Maximum subsequence segmentation: tokens, Naive Bayes by hand, and brute force as oracle for the run."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.content.blocks import divide
from dupgroups_papers.content.maximum_run import maximum_run
from dupgroups_papers.content.subsequence import (
    MAX_TOKENS,
    UNSEEN,
    Subsequence,
    TokenClassifier,
    code,
    tokens,
    trigrams,
)


def classifier(
    words: list[str],
    of_trigrams: dict[tuple[str, str, str], float],
    of_parents: dict[str, float],
    prior: float = 0.0,
) -> TokenClassifier:
    """A classifier of these words and features."""
    known = np.array(sorted(map(code, words)), np.uint32)
    by_trigram = {trigram_code(trigram, known): odds for trigram, odds in of_trigrams.items()}
    by_parent = {code(tag): odds for tag, odds in of_parents.items()}
    return TokenClassifier(
        words=known,
        trigrams=np.array(sorted(by_trigram), np.uint32),
        trigram_odds=np.array([by_trigram[key] for key in sorted(by_trigram)], np.float32),
        parents=np.array(sorted(by_parent), np.uint32),
        parent_odds=np.array([by_parent[key] for key in sorted(by_parent)], np.float32),
        prior=prior,
    )


def trigram_code(trigram: tuple[str, str, str], words: np.ndarray) -> int:
    given = tokens(" ".join(trigram))
    return int(trigrams(given, words)[~given.is_tag][0])


def test_tokens_are_words_numbers_and_tags_in_their_blocks() -> None:
    found = tokens(divide("<p>In 1987 <b>Ferries</b><br>sank<p>春茶").html)
    texts = "<html> <head> </head> <body> <p> in 1 <b> ferries </b> <br> sank </p> <p> 春 茶 </p> </body>"
    assert found.code.tolist() == [code(token) for token in texts.split()]
    assert found.code[~found.is_tag].tolist() == [code(word) for word in "in 1 ferries sank 春 茶".split()]
    assert found.block[~found.is_tag].tolist() == [0, 0, 0, 1, 2, 2]
    parents = "<p> <p> <b> <br> <p> <p>".split()  # a line break stays open
    assert found.parent[~found.is_tag].tolist() == [code(tag) for tag in parents]


def test_all_trigrams_that_are_not_known_have_the_same_odds() -> None:
    known = classifier(["ferries"], {("ferries", "ferries", "ferries"): 1.0}, {})
    unseen = replace(
        known,
        trigrams=np.insert(known.trigrams, 0, UNSEEN),
        trigram_odds=np.insert(known.trigram_odds, 0, -2.0),
    )
    given = tokens("春 茶 上 市")
    assert known.scores(given).tolist() == [0.0] * len(given.code)
    assert unseen.scores(given) == pytest.approx([1 / (1 + math.exp(2)) - 0.5] * len(given.code))


def test_the_number_of_tokens_is_bounded() -> None:
    long = divide(f"<p>{'茶' * 3 * MAX_TOKENS}<p>{'上' * MAX_TOKENS}<p>{'市' * MAX_TOKENS}")
    assert len(tokens(long.html).code) < 1.1 * MAX_TOKENS
    assert Subsequence().select(long, classifier([], {}, {"<p>": 2.0})) == [0]


def test_the_score_is_the_probability_by_naive_bayes_less_one_half() -> None:
    trigram = ("the", "ferry", "sank")
    learned = classifier([*trigram], {trigram: 1.5}, {"<p>": 0.25}, prior=-0.5)
    given = tokens("<p>the ferry sank")
    scores = learned.scores(given)[~given.is_tag]
    assert scores[0] == pytest.approx(1 / (1 + math.exp(-1.25)) - 0.5)
    assert scores[1] == pytest.approx(1 / (1 + math.exp(0.25)) - 0.5)  # of its tag only
    assert learned.scores(given)[0] == pytest.approx(1 / (1 + math.exp(0.5)) - 0.5)  # of neither


@given(st.lists(st.integers(-9, 9), max_size=14))
def test_the_run_is_the_one_that_trying_all_finds(values: list[int]) -> None:
    start, stop = maximum_run(np.array(values, np.float64))
    runs = [sum(values[a:b]) for a in range(len(values)) for b in range(a, len(values) + 1)]
    assert sum(values[start:stop]) == max([0, *runs])
    assert (stop > start) == (max([0, *runs]) > 0)
    assert all(sum(values[start:at]) > 0 for at in range(start + 1, stop + 1))


def test_the_run_is_contiguous_and_blocks_are_whole() -> None:
    page = divide(
        "<p>The ferry sank. The barge, too.<div>Advertisement</div><p>The crew was saved, all.<p>On"
    )
    learned = classifier([], {}, {"<p>": 2.0, "<div>": -1.0, "<body>": -1.0})
    assert Subsequence().select(page, learned) == [0, 1, 2]
    nothing = classifier([], {}, {"<p>": -2.0, "<div>": -1.0}, prior=-1.0)
    assert Subsequence().select(page, nothing) == []
    assert Subsequence().select(divide(""), learned) == []
