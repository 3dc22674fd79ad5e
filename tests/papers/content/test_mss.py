"""Maximum scoring subsequence: the slides' example; `test_subsequence` has brute force for the run."""

from __future__ import annotations

import pytest

from dupgroups.content.blocks import divide
from dupgroups_papers.content.mss import MSS

MENU = "<p><a href=x>One of many links in the menu of this page</a></p>" * 9
STORY = "<p>The ship sank in the port on Monday.</p>"
GREY = f"<style>.ad {{ color: #888 }}</style>{STORY}<p class=ad>Buy shoes now.</p>{STORY}"
SLIDES = "<p>Note:<p>A paragraph, <a href=x>with a link</a> in<p>some <em>emphatic words</em> here and more"
LEAD = "<p><a href=x>From Dover</a><br>The ship sank in the port on Monday.<p><a href=y>More</a>"
SMALL = "<p>The ship sank in the port.<br><small>Fog</small><p><small>Advertisement</small>"
HEADS = "<h1>Ferry sinks</h1><p>The ship sank in port.<h2>Fog</h2><p>It was a foggy night.<h4>As big</h4>"
HALF = "<p><a href=x>12345</a> 7890<p><a href=x>12345</a> 67890"


@pytest.mark.parametrize(
    ("html", "mss", "scores", "blocks"),
    [
        (SLIDES, MSS(), [5, 27, 33], [0, 1, 2]),
        (HALF, MSS(), [10, 11], [0, 1]),
        ("<p><a href=x>123456</a> 890", MSS(), [-10], []),  # more than half in links is too much
        (LEAD, MSS(), [46, -4], [0, 1]),  # a segment is judged as a whole
        (SMALL, MSS(), [29, -13], [0, 1]),
        (HEADS, MSS(), [-11, 22, -3, 21, 6], [1, 3, 4]),  # a rarer size counts against, and the run goes on
        (HEADS, MSS(c_size=0), [11, 22, 3, 21, 6], [0, 1, 2, 3, 4]),
        (GREY, MSS(), [36, -14, 36], [0, 2]),  # so does another colour
        (GREY, MSS(c_color=0), [36, 14, 36], [0, 1, 2]),
        (f"{MENU}<p style='font-size: 18px'>It sank in port.", MSS(), [-42] * 9 + [16], [9]),
    ],
)
def test_the_best_run_of_scores_is_the_story(
    html: str, mss: MSS, scores: list[int], blocks: list[int]
) -> None:
    page = divide(html)
    assert mss.scores(page) == scores
    assert list(mss(page)) == blocks
