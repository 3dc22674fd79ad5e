"""Article or not, by a decision tree over the whole page.

Standke: Identifying Online News Articles (slides, block design). A C4.5 tree over nine features of a page:
the score of the best run of text (MSS), the main node of CoreEx, and the number of links that look like those
of articles. `dup-groups train articles` made the tree in `article_tree.json`. docs/papers.md says how
accurate it is, and docs/extraction.md why `article_score` uses another rule by default.

| feature | meaning |
|---|---|
| mss | value of the maximum scoring subsequence, in characters |
| core_tag, core_set_tag | tag of CoreEx's main node; most frequent tag in its set S |
| core_score | score of the main node, 0 to 1; the slides have an integer on a scale that they do not explain
|
| links_number, links_date, links_slash, links_reserved, links_short | number of links with each feature,
of a page without a URL as they are written |

Links are resolved to absolute URLs first: as they are written, hosts and lengths tell sites apart. As in the
slides, a URL is reserved when it contains a reserved word; `link_target` compares whole segments.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import NamedTuple

from dupgroups.content.blocks import Blocks, divide
from dupgroups.content.bounds import MAX_CHARS
from dupgroups.model import Page
from dupgroups.text.decoding import decode
from dupgroups.text.links import RESERVED_WORDS, link_target
from dupgroups.text.urls import join_url
from dupgroups_papers.content.coreex import CoreEx
from dupgroups_papers.content.decision_tree import Node, Row
from dupgroups_papers.content.maximum_run import maximum_run
from dupgroups_papers.content.mss import MSS

ARTICLE, OTHER = "article", "other"
_NOT_PAGES = ("#", "javascript:", "mailto:", "tel:", "data:")
_RESERVED_PATTERN = re.compile(rf"(?<![a-z])(?:{'|'.join(sorted(RESERVED_WORDS))})(?![a-z])")


class LinkCounts(NamedTuple):
    """How many links of a page have each feature."""

    number: int
    date: int
    slash: int
    reserved: int
    short: int


PAGE_FEATURES = ("mss", "core_tag", "core_set_tag", "core_score")
LINK_FEATURES = tuple(f"links_{name}" for name in LinkCounts._fields)


def features(page: Blocks, url: str | None) -> Row:
    """The nine features of the page at `url`.

    A page without blocks has scores of 0, tags "" and the counts of its links.
    """
    core = CoreEx().core(page)
    scores = MSS().scores(page)
    best = float(sum(scores[slice(*maximum_run(scores))]))
    values = (best, core.tag, core.set_tag, core.score, *count_links(page.hrefs, url or ""))
    return dict(zip(PAGE_FEATURES + LINK_FEATURES, values, strict=True))


@cache
def load_tree() -> Node:
    """The tree that is shipped with the package."""
    path = resources.files("dupgroups_papers.content") / "article_tree.json"
    return Node.from_json(json.loads(path.read_text("utf-8")))


@dataclass(frozen=True)
class ArticleTree:
    """The probability that a page is an article, 0 to 1: `ArticleTree()(page)`."""

    root: Node = field(default_factory=load_tree)

    def __call__(self, page: Page) -> float:
        """The share of articles among the training cases in the leaf, with one more of each kind added."""
        html = page.html or ""
        if isinstance(html, bytes):  # two for each character are enough for all that `divide` reads
            html = decode(html[: 2 * MAX_CHARS], page.encoding)
        return self.score(features(divide(html), page.url))

    def score(self, row: Row) -> float:
        """The same for given features; a case without a feature goes down every branch."""
        leaves = self.root.leaves(row)
        return sum((leaf.cases.get(ARTICLE, 0) + 1) / (leaf.weight + 2) * share for leaf, share in leaves)


def count_links(hrefs: Iterable[str], url: str = "") -> LinkCounts:
    """Count the features of the `href`s of the page at `url`, except links within the page.

    Without a `url` they are taken as they are written.

    >>> count_links(["/2019/04/15/omar.html", "7/", "#top"], "https://example.org/video-news/")
    LinkCounts(number=0, date=1, slash=1, reserved=1, short=2)
    """
    links = [join_url(url, href) for href in hrefs if not href.startswith(_NOT_PAGES)]
    targets = [
        link_target(link)._replace(reserved=_RESERVED_PATTERN.search(link.lower()) is not None)
        for link in links
    ]
    return LinkCounts(*map(sum, zip(*targets, strict=True))) if targets else LinkCounts(0, 0, 0, 0, 0)
