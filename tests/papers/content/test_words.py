"""CE-SIMPLE, the weights of all methods that come with the package, and the tree that tells articles."""

import math

import numpy as np
import pytest

from content.pages import STORY, STORY_ZH, news_page, numbered_front
from dupgroups.content import Extractor
from dupgroups.content.article_methods import ARTICLE_METHODS, article_score
from dupgroups.content.blocks import divide
from dupgroups.model import Page
from dupgroups_papers.content.article_tree import LINK_FEATURES, PAGE_FEATURES, ArticleTree, features
from dupgroups_papers.content.crf import CRF
from dupgroups_papers.content.decision_tree import Node
from dupgroups_papers.content.hashed_bag_of_words import HASH_BUCKETS, bucket
from dupgroups_papers.content.maxent import MaxEnt, Words
from dupgroups_papers.content.subsequence import Subsequence


def known(weights: dict[str, float], level: float = 0.0) -> Words:
    """A model of these words."""
    given = np.zeros(HASH_BUCKETS, np.float32)
    for word, weight in weights.items():
        given[bucket(word)] = weight
    return Words(given, level)


def test_odds_are_the_sum_of_the_weights_of_the_words_each_once() -> None:
    page = divide("<p>Police said, police SAID.<p>Share this<p>...")
    odds = known({"police": 1.5, "said": 0.5, "share": -3.0}, level=-0.25).odds(page)
    assert odds.tolist() == [1.75, -3.25, -0.25]


def test_the_threshold_is_a_probability() -> None:
    odds = np.array([math.log(0.3 / 0.7), math.log(0.6 / 0.4), math.log(0.8 / 0.2)], np.float32)
    assert (MaxEnt(0.7).select(odds), MaxEnt().select(odds)) == ([2], [1, 2])


@pytest.mark.parametrize(("extractor", "lost"), [(CRF(), 0), (MaxEnt(), 1), (Subsequence(), 1)])
@pytest.mark.parametrize("story", [STORY, STORY_ZH], ids=["en", "zh"])
def test_stories_are_kept_and_menus_are_not(extractor: Extractor, lost: int, story: tuple[str, ...]) -> None:
    page = divide(news_page(story=story))
    kept = {page.blocks[index].text for index in extractor(page)}
    assert len(kept & set(story)) >= len(story) - lost
    assert not kept & {"Home", "World", "Share Tweet", "Imprint", "Related"}


# -- article or not: the features, and the tree that comes with the package


def test_features_of_an_article_and_of_a_front():
    article, front = (features(divide(html), None) for html in (news_page(), numbered_front(1)))
    assert tuple(article) == PAGE_FEATURES + LINK_FEATURES
    assert article["mss"] >= sum(map(len, STORY)) > 100 > front["mss"] > 0
    assert (article["core_tag"], article["core_set_tag"]) == ("article", "h1")  # h1 and div are as frequent
    assert (front["links_reserved"], front["links_slash"], front["links_date"]) == (30, 30, 0)


@pytest.mark.parametrize("method", ARTICLE_METHODS)
def test_an_article_scores_above_a_front(method):
    article, front = (article_score(Page(html=html), method) for html in (news_page(), numbered_front(1)))
    assert 0 <= front < 0.5 < article <= 1
    assert article_score(Page(html=news_page().encode()), method) == article


def test_a_leaf_is_never_certain():
    tree = ArticleTree(Node({"article": 3.0}))
    assert tree.score({}) == 4 / 5
