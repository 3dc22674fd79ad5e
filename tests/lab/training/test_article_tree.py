"""Article or not: the features, the tree that comes with the package, the experiment and its commands."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from content.pages import STORY, news_page
from dupgroups.cli import app
from dupgroups.content.article_tree import (
    CLASSIFIERS,
    LINK_FEATURES,
    PAGE_FEATURES,
    ArticleTree,
    article_score,
    features,
    shipped,
)
from dupgroups.content.blocks import divide
from dupgroups.content.decision_tree import Node
from dupgroups.errors import ConfigError, InputError
from dupgroups.model import Page
from dupgroups_lab.papers.standke import Interval, by_site, f1, repeated
from dupgroups_lab.training.article_tree import FEATURE_SETS, LabelledCase, case_of, read_typed, train


def front_page(number: int) -> str:
    teasers = "".join(
        f'<li><a href="/video/{n}/">Council delays vote on item {n + number} again</a></li>'
        for n in range(30)
    )
    return f"<html><title>Front {number}</title><body><ul>{teasers}</ul><p>Weather: rain.</p></body>"


def row(number: int, kind: str, site: str, html: str) -> str:
    return json.dumps(
        {
            "id": str(number),
            "site": site,
            "url": None,
            "lang": "en",
            "page_type": kind,
            "html": html,
            "text": "",
        }
    )


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve articles and twelve fronts of four sites, and a page of unknown type."""
    folder = tmp_path_factory.mktemp("packs") / "made"
    folder.mkdir()
    with gzip.open(folder / "pages.jsonl.gz", "wt", encoding="utf-8") as lines:
        for number in range(24):
            site = f"{number % 4}.example"
            kind = "article" if number < 12 else "other"
            html = news_page(story=STORY[: 2 + number % 3]) if number < 12 else front_page(number)
            print(row(number, kind, site, html), file=lines)
        print(row(24, "", "x.example", "<p>of no known type"), file=lines)
    return folder


def test_features_of_an_article_and_of_a_front():
    article, front = features(divide(news_page())), features(divide(front_page(1)))
    assert tuple(article) == PAGE_FEATURES + LINK_FEATURES
    assert article["mss"] >= sum(map(len, STORY)) > 100 > front["mss"] > 0
    assert (article["core_tag"], article["core_set_tag"]) == ("article", "h1")  # h1 and div are as frequent
    assert (front["links_reserved"], front["links_slash"], front["links_date"]) == (30, 30, 0)


def test_features_of_nothing():
    assert set(features(divide("")).values()) == {0, ""}


@pytest.mark.parametrize("method", CLASSIFIERS)
def test_an_article_scores_above_a_front(method):
    article, front = (article_score(Page(html=html), method) for html in (news_page(), front_page(1)))
    assert 0 <= front < 0.5 < article <= 1
    assert article_score(Page(html=news_page().encode()), method) == article


def test_an_unknown_method_is_named():
    with pytest.raises(ConfigError, match=r"unknown method to tell articles 'c4\.5' .*'c45'"):
        article_score(Page(html=""), "c4.5")


@given(st.text(alphabet="ab <>/pdivaul=\"'#", max_size=200))
def test_any_page_has_a_score(html):
    assert 0 < article_score(Page(html=html), "c45") < 1


def test_a_leaf_is_never_certain():
    tree = ArticleTree(Node({"article": 3.0}))
    assert tree.score({}) == 4 / 5


def test_the_tree_tells_made_pages_apart(pack):
    pages = read_typed([pack])
    cases = [case_of(page) for page in pages]
    assert len(cases) == 24
    assert train(cases, ["mss"]).root.attribute == "mss"
    for names in FEATURE_SETS.values():
        assert repeated(cases, names, trials=2, folds=4) == [1.0, 1.0]
        assert by_site(cases, names) == 1.0


def test_a_site_that_is_left_out_teaches_nothing():
    """What tells these pages apart is their site alone: random folds hide that."""
    kinds = ["article", "other", "article", "other"]
    cases = [
        LabelledCase(str(site), kinds[site], {"mss": 10.0 * site}) for site in range(4) for _ in range(8)
    ]
    assert repeated(cases, ["mss"], trials=1, folds=8) == [1.0]
    assert by_site(cases, ["mss"]) == 0.0


def test_f1_and_its_interval(pack):
    cases = [case_of(page) for page in read_typed([pack])]
    assert f1(cases, [True] * 24) == pytest.approx(2 / 3)
    assert f1(cases, [False] * 24) == 0
    assert Interval.of([0.5]) == Interval(0.5, 0.0)
    assert Interval.of([0.4, 0.6]).half == pytest.approx(1.96 * 0.1)
    assert str(Interval(0.5, 0.01)) == "0.500 +- 0.010"


def test_pages_of_one_type_teach_nothing(tmp_path):
    with gzip.open(tmp_path / "pages.jsonl.gz", "wt", encoding="utf-8") as lines:
        lines.write(row(1, "article", "a", news_page()))
    with pytest.raises(InputError, match='both pages of type "article" and of type "other"'):
        read_typed([tmp_path])


def test_the_tree_that_comes_along_was_written_by_the_command(pack, tmp_path):
    out = tmp_path / "tree.json"
    result = CliRunner().invoke(app, ["train", "articles", str(pack), "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert "a tree from 24 pages of 4 sites" in result.output
    assert (
        Node.from_json(json.loads(out.read_text()))
        == train([case_of(page) for page in read_typed([pack])]).root
    )
    assert set(shipped().root.cases) == {"article", "other"}


def test_the_experiment_prints_both_feature_sets_and_the_tree(pack):
    result = CliRunner().invoke(app, ["evaluate", "articles", str(pack), "--trials", "2"])
    assert result.exit_code == 0, result.output
    assert "1.000 +- 0.000" in result.output
    assert "gain of the links" in result.output
    assert ": article (12)" in result.output
