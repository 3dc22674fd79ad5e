"""Why a page has this text: what is explained is what happens."""

from __future__ import annotations

import math

import pytest

from dupgroups.content.page_analysis import extract
from dupgroups.flow.explain.page_explanation import explain_page
from dupgroups.model import Page
from dupgroups_demo import build

DEMO = [page for site in build() for page in site.pages if page.article][::7]


def sources(page: Page) -> dict[str, tuple[str, str]]:
    return {source.name: (source.value, source.found) for source in explain_page(page).sources}


@pytest.mark.parametrize("demo", DEMO, ids=range(len(DEMO)))
def test_the_blocks_that_are_kept_are_the_text_and_the_numbers_give_the_probability(demo: object) -> None:
    page = Page(html=demo.body, url=f"https://news.example{demo.path}")  # type: ignore[attr-defined]
    made = explain_page(page)
    assert made.content == extract(page)
    assert "\n".join(block.text for block in made.blocks if block.kept) == made.content.text
    odds = math.fsum(part.contribution for part in made.evidence)
    assert 1 / (1 + math.exp(-odds)) == pytest.approx(made.content.article)
