"""Article or not: the features, and the tree that comes with the package."""

from __future__ import annotations

import pytest

from content.pages import STORY, news_page, numbered_front
from dupgroups.content.article_methods import ARTICLE_METHODS, article_score
from dupgroups.content.blocks import divide
from dupgroups.model import Page
from dupgroups_papers.content.article_tree import LINK_FEATURES, PAGE_FEATURES, ArticleTree, features
from dupgroups_papers.content.decision_tree import Node


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
