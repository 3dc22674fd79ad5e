"""Article or not, by a decision tree over the whole page.

Standke: Identifying Online News Articles (slides, block design). A C4.5 tree over nine features of a page:
the score of the best run of text (MSS), the main node of CoreEx, and the number of links that look like those
of articles. `dup-groups train articles` made the tree in `article_tree.json`. docs/articles.md says how
accurate it is, and why `article_score` uses another rule by default.

| feature | meaning |
|---|---|
| mss | value of the maximum scoring subsequence, in characters |
| core_tag, core_set_tag | tag of CoreEx's main node; most frequent tag in its set S |
| core_score | score of the main node, 0 to 1; the slides have an integer on a scale that they do not explain
|
| links_number, links_date, links_slash, links_reserved, links_short | number of links with each feature |
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import resources

from dupgroups.content.blocks import Blocks, divide
from dupgroups.content.bounds import MAX_CHARS
from dupgroups.content.coreex import CoreEx
from dupgroups.content.decision_tree import Node, Row
from dupgroups.content.extract import extract
from dupgroups.content.mss import MSS, maximum
from dupgroups.links import LinkCounts, count_links
from dupgroups.model import Page
from dupgroups.registry import lookup
from dupgroups.text.decoding import decode

ARTICLE, OTHER = "article", "other"
PAGE_FEATURES = ("mss", "core_tag", "core_set_tag", "core_score")
LINK_FEATURES = tuple(f"links_{name}" for name in LinkCounts._fields)


def features(page: Blocks) -> Row:
    """The nine features. A page without blocks has scores of 0, tags "" and the counts of its links."""
    core = CoreEx().core(page)
    best = maximum(MSS().scores(page))
    values = (best.score, core.tag, core.set_tag, core.score, *count_links(page.hrefs))
    return dict(zip(PAGE_FEATURES + LINK_FEATURES, values, strict=True))


@dataclass(frozen=True)
class ArticleTree:
    """The probability that a page is an article, 0 to 1: `ArticleTree(root)(page)`."""

    root: Node

    def __call__(self, page: Blocks) -> float:
        """The share of articles among the training cases in the leaf, with one more of each kind added."""
        return self.score(features(page))

    def score(self, row: Row) -> float:
        """The same for given features; a case without a feature goes down every branch."""
        return sum(
            fraction * (leaf.cases.get(ARTICLE, 0) + 1) / (leaf.weight + 2)
            for leaf, fraction in self.root.leaves(row)
        )


@cache
def shipped() -> ArticleTree:
    """The tree that is shipped with the package."""
    path = resources.files("dupgroups.content") / "article_tree.json"
    return ArticleTree(Node.from_json(json.loads(path.read_text("utf-8"))))


def article_score(page: Page, method: str = "auto") -> float:
    """The probability that `page` is an article, 0 to 1. Never raises, whatever the page contains.

    `method`: "auto" gives `Content.article`, "c45" uses the tree. Raises ConfigError for any other name.
    """
    score: float = lookup("article method", method, CLASSIFIERS)(page)
    return score


def _auto(page: Page) -> float:
    return extract(page).article


def _tree(page: Page) -> float:
    html = page.html or ""
    # two bytes per character are enough for all that `divide` reads
    return shipped()(divide(html if isinstance(html, str) else decode(html[: 2 * MAX_CHARS], page.encoding)))


CLASSIFIERS: dict[str, Callable[[Page], float]] = {"auto": _auto, "c45": _tree}
