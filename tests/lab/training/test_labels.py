"""Labels of blocks, and what words weigh."""

from __future__ import annotations

from content.pages import HEADLINE, STORY, news_page
from dupgroups.content.blocks import divide
from dupgroups_lab.training.labels import LexiconCounts, align


def test_blocks_of_the_gold_are_labelled_and_the_headline_is_not() -> None:
    page = divide(news_page())
    labels = align(page, "\n".join((HEADLINE, *STORY)), HEADLINE)
    labelled = [block.text for block, share in zip(page.blocks, labels.share, strict=True) if share > 0.5]
    assert labelled == list(STORY)


def test_a_word_weighs_what_sites_make_of_it_and_not_how_often() -> None:
    counts = LexiconCounts(prior=0.5, min_sites=2)
    counts.add("loud", ["share"], 1.0, 1000)
    for site in ("a", "b", "c"):
        counts.add(site, ["share"], 0.0, 1)
    counts.add("a", ["rare"], 1.0, 1)
    assert set(counts.weights()) == {"share"}
    assert counts.weights()["share"] < 0
    without = counts.without("loud")("share")
    assert without is not None
    assert without < counts.weights()["share"]
