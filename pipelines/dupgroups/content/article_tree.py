"""Article or not, by a decision tree over the whole page.

Standke: Identifying Online News Articles (slides, block design). Nine features of a page in a C4.5 tree: how
much the best run of text scores (MSS), the main node of CoreEx, and how many links look like those of
articles. The tree in `article_tree.json` is made by `dup-groups train articles`; docs/articles.md tells how
well it does, and why `article_score` uses another rule unless told.

| feature | meaning |
|---|---|
| mss | value of the maximum scoring subsequence, in characters |
| core_tag, core_set_tag | tag of CoreEx's main node; most frequent tag in its set S |
| core_score | score of the main node, 0 to 1; the slides have an integer, of a scale they don't name |
| links_number, links_date, links_slash, links_reserved, links_short | links of the page with each feature |
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
    """The nine features. A page without blocks has 0, tags "" and the counts of its links."""
    core = CoreEx().core(page)
    best = maximum(
        MSS(c_size=0, c_color=0).scores(page)
    )  # the tree was grown before sizes and colours were known
    values = (best.score, core.tag, core.set_tag, core.score, *count_links(page.hrefs))
    return dict(zip(PAGE_FEATURES + LINK_FEATURES, values, strict=True))


@dataclass(frozen=True)
class ArticleTree:
    """How surely a page is an article, 0 to 1: `ArticleTree(root)(page)`."""

    root: Node

    def __call__(self, page: Blocks) -> float:
        """The share of articles among the training cases in the leaf, with one more of each kind added."""
        return self.score(features(page))

    def score(self, row: Row) -> float:
        """The same for features; a missing one goes down every branch."""
        return sum(
            fraction * (leaf.cases.get(ARTICLE, 0) + 1) / (leaf.weight + 2)
            for leaf, fraction in self.root.leaves(row)
        )


@cache
def shipped() -> ArticleTree:
    """The tree that comes with the package."""
    path = resources.files("dupgroups.content") / "article_tree.json"
    return ArticleTree(Node.from_json(json.loads(path.read_text("utf-8"))))


def article_score(page: Page, method: str = "auto") -> float:
    """How surely `page` is an article, 0 to 1. Never raises for what is in the page.

    `method`: "auto" is `Content.article`, "c45" the tree of this file. Raises ConfigError for another name.
    """
    score: float = lookup("method to tell articles", method, CLASSIFIERS)(page)
    return score


def _auto(page: Page) -> float:
    return extract(page).article


def _tree(page: Page) -> float:
    html = page.html or ""
    # two bytes a character are enough to fill what `divide` reads
    return shipped()(divide(html if isinstance(html, str) else decode(html[: 2 * MAX_CHARS], page.encoding)))


CLASSIFIERS: dict[str, Callable[[Page], float]] = {"auto": _auto, "c45": _tree}
