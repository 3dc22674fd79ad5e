"""CoreEx: the counts and scores of the slides, and what holds on every page."""

from __future__ import annotations

import pytest

from dupgroups.content.blocks import divide
from dupgroups_papers.content.coreex import CoreEx, Node

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
