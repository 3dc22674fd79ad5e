"""Labels of blocks, and what words weigh."""

from __future__ import annotations

from content.pages import HEADLINE, STORY, news_page
from dupgroups.content.blocks import divide
from dupgroups_lab.training.labels import align


def test_blocks_of_the_gold_are_labelled_and_the_headline_is_not() -> None:
    page = divide(news_page())
    labels = align(page, "\n".join((HEADLINE, *STORY)), HEADLINE)
    labelled = [block.text for block, share in zip(page.blocks, labels.share, strict=True) if share > 0.5]
    assert labelled == list(STORY)
