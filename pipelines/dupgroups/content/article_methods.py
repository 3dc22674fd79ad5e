"""Whether a page is an article, by one of the methods that decide it."""

from __future__ import annotations

from collections.abc import Callable

from dupgroups.content.page_analysis import extract
from dupgroups.methods.registry import MethodTable, build
from dupgroups.model import Page
from dupgroups.model.config import Step


class ContentArticle:
    """The default: `Content.article`."""

    def __call__(self, page: Page) -> float:
        """The probability that comes with the content of the page."""
        return extract(page).article


ARTICLE_METHODS = MethodTable("article method", {"auto": ContentArticle})


def article_score(page: Page, method: str = "auto") -> float:
    """The probability that `page` is an article, 0 to 1. Never raises, whatever the page contains.

    `method`: "auto" gives `Content.article`, "c45" uses a decision tree. Raises ConfigError for any other
    name.
    """
    classify: Callable[[Page], float] = build("article method", Step(method), ARTICLE_METHODS)
    return classify(page)
