"""CoreEx and maximum scoring subsequences: the slides' examples, and what holds on every page."""

import pytest

from dupgroups.content.blocks import divide
from dupgroups_papers.content.coreex import CoreEx, Node
from dupgroups_papers.content.mss import MSS

# twelve words: a link, a paragraph of four words around a link, and six words in nested boxes
PAGE = """<body><a href=n>Note:</a>
<p>A paragraph, <a href=l>with a link,</a> in it</p>
<section><article>some <div>emphatic words</div> here</article> <aside>More words</aside></section></body>"""


def nodes(html: str) -> dict[str, Node]:
    return {node.tag: node for node in CoreEx().nodes(divide(html))}


def test_scores_of_the_slides():
    found = {tag: round(node.score, 4) for tag, node in nodes(PAGE).items()}
    assert found["p"] == found["article"] == 0.9933  # 4 of 12 words
    assert found["div"] == found["aside"] == 0.9917  # 2 of 12; the slides cut it to .9916
    assert found["section"] == found["body"] == 0.995  # 6 of 12


@pytest.mark.parametrize(
    ("html", "tag", "counts"),
    [
        (PAGE, "p", (5, 1, 4, 0)),  # a link is one word and one link, and not in the set
        (PAGE, "body", (12, 2, 6, 0)),  # 4 of 5 words out of links are too few for the paragraph
        ("<p>It sank <a href=x>in an extraordinary thunderstorm</a></p>", "p", (3, 1, 2, 0)),  # however long
        ("<p><a href=x>thunder</a>storms <a href=x></a></p>", "p", (3, 2, 1, 0)),
        ("<p>The ship <b>sank in <i>the port</i></b> <a href=x>Dover</a></p>", "b", (4, 0, 4, 0)),
        ("<p>The ship <b>sank in <i>the port</i></b> <a href=x>Dover</a></p>", "p", (7, 1, 6, 0)),
    ],
)
def test_words_and_links_are_counted(html: str, tag: str, counts: tuple[int, ...]) -> None:
    assert nodes(html)[tag][2:6] == counts


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
