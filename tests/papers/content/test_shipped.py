"""The weights that come with the package keep stories and leave what stands around them."""

from __future__ import annotations

import pytest

from content.pages import STORY, STORY_ZH, news_page
from dupgroups.content import Extractor
from dupgroups.content.blocks import divide
from dupgroups_papers.content.crf import CRF
from dupgroups_papers.content.maxent import MaxEnt
from dupgroups_papers.content.subsequence import Subsequence


@pytest.mark.parametrize(("extractor", "lost"), [(CRF(), 0), (MaxEnt(), 1), (Subsequence(), 1)])
@pytest.mark.parametrize("story", [STORY, STORY_ZH], ids=["en", "zh"])
def test_stories_are_kept_and_menus_are_not(extractor: Extractor, lost: int, story: tuple[str, ...]) -> None:
    page = divide(news_page(story=story))
    kept = {page.blocks[index].text for index in extractor(page)}
    assert len(kept & set(story)) >= len(story) - lost
    assert not kept & {"Home", "World", "Share Tweet", "Imprint", "Related"}
