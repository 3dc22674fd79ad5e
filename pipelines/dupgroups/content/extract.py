"""Extraction from the bytes of a page to its Content."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Protocol

import numpy as np

from dupgroups.content.article import article_probability
from dupgroups.content.auto import Auto, shipped
from dupgroups.content.blocks import Blocks, divide
from dupgroups.content.bounds import MAX_CHARS
from dupgroups.content.bylines import byline
from dupgroups.content.credits import trust
from dupgroups.content.datelines import dateline, headline
from dupgroups.content.features import Floats
from dupgroups.content.headlines import without_site
from dupgroups.content.metadata import Metadata, metadata
from dupgroups.content.references import without_references
from dupgroups.methods.registry import MethodTable, build
from dupgroups.model import Content, Page
from dupgroups.model.config import Step
from dupgroups.text import language, urls
from dupgroups.text.dates import declared_date
from dupgroups.text.decoding import decode


class Extractor(Protocol):
    """Selects the blocks of the article: `extractor(page)` gives their indices in `page.blocks`, ascending.

    The result is empty for a page without blocks. Extractors are pure: the same page gives the same indices.
    """

    def __call__(self, page: Blocks) -> Sequence[int]:
        """Indices of the article's blocks, in document order."""


EXTRACTORS = MethodTable("extractor", {"auto": Auto})

OfLanguage = Callable[[str], Extractor]
"""The extractor of each language; of "*" for a text whose language is not known yet."""


def extract(page: Page, *, extractor: str | Step | OfLanguage = "auto") -> Content:
    """The article of `page` without navigation, related links and comments; the headline is only in `title`.

    Never raises, whatever the bytes; a page without an article gives `Content(text="")`. The `text` of a page
    that already has one is kept as it is. At most 8,000,000 characters are read, of html and of text. Raises
    ConfigError for an unknown extractor.
    """
    return analyse(page, extractor=extractor).content


@dataclass(slots=True)
class Analysis:
    """What is found on a page on the way to its content.

    `kept` are the blocks of the text, `surest` those from which the confidence is computed; both are indices,
    ascending, and empty for a page that came with its text. `probabilities` are those of the default
    extractor, of shape (blocks,). `declared` holds title, author and date as they were completed.
    """

    blocks: Blocks
    declared: Metadata
    content: Content = field(default_factory=lambda: Content(""))
    kept: Sequence[int] = ()
    surest: Sequence[int] = ()
    probabilities: Floats = field(default_factory=lambda: np.zeros(0, np.float32))

    @property
    def text(self) -> str:
        """The text of these blocks."""
        return "\n".join(map(self.blocks.texts.__getitem__, self.kept))


def analyse(page: Page, *, extractor: str | Step | OfLanguage = "auto") -> Analysis:
    """Everything that `extract` finds out about a page; it raises what `extract` raises."""
    of_language = _of_language(extractor)
    chosen = of_language(page.language or "*")
    blocks = divide(_html(page), hrefs=False)
    declared = metadata(blocks, page.url)
    found = Analysis(blocks, declared)
    title = without_site(declared.title, declared.site, blocks.texts)
    if page.text is None:
        _select(found, chosen, title)
    text = found.text if page.text is None else page.text[:MAX_CHARS]
    code = page.language or language.detect(text or title, declared.language)
    if page.text is None and of_language(code) != chosen:
        _select(found, of_language(code), title)
        text = found.text
        code = language.detect(text or title, declared.language)
    given = without_site(page.title, declared.site) if page.title else ""
    date = declared_date(page.date or "", page.language or "") or page.date
    article = article_probability(blocks, found.surest, found.probabilities, declared.is_article, page.url)
    url = urls.identity(page.url, declared.canonical)
    declared = _completed(found, title, code) if page.text is None else replace(declared, title=title)
    found.declared = declared
    found.content = Content(
        text=text,
        title=given or title,
        date=date or declared.date or declared.later_date,
        language=code,
        url=url,
        site=declared.site or urls.host_of(url) or None,
        article=article if page.text is None else 1.0,
        author=declared.author,
        image=declared.image,
    )
    return found


def _select(page: Analysis, chosen: Extractor, title: str) -> None:
    """Find the blocks of the text."""
    is_usual = isinstance(chosen, Auto) and chosen.favor == "articles" and not chosen.weights
    auto = chosen if isinstance(chosen, Auto) and is_usual else Auto()
    # the weights were trained on titles with all their parts
    page.probabilities = shipped().probabilities(page.blocks, page.declared.title)
    page.surest = auto.select(page.blocks, page.probabilities)
    page.kept = without_references(page.blocks, page.surest, title) if is_usual else chosen(page.blocks)


def _completed(page: Analysis, title: str, code: str) -> Metadata:
    """With this title, and author and date from the lines around the article, where they are not declared."""
    blocks, kept, declared = page.blocks, page.surest, page.declared
    locale = declared.language or ""
    locale = locale if locale.lower().startswith(code) else code  # the language of the template may differ
    trusted = trust(declared.author, declared.author_from, blocks.texts) if declared.author else 0
    head = headline(blocks, kept, title) if kept and (trusted < 2 or not declared.date) else None
    found: dict[str, str | None] = {"title": title}
    if trusted < 2:
        author, where = byline(blocks.html, blocks, kept, head)
        if author or not trusted:
            found |= {"author": author, "author_from": where}
    if not declared.date:
        date = dateline(blocks, kept, head, locale) if kept else None
        where = "the line beside the headline" if date else declared.later_from
        found |= {"date": date or declared.later_date, "date_from": where}
    return replace(declared, **found)  # type: ignore[arg-type]  # only dates may be None


def _of_language(extractor: str | Step | OfLanguage) -> OfLanguage:
    if not isinstance(extractor, str | Step):
        return extractor
    step = Step.parse(extractor)
    built = build("extractor", step, EXTRACTORS) if step.params else _plain(step.name)
    return lambda language: built


@lru_cache(maxsize=32)
def _plain(name: str) -> Extractor:
    built: Extractor = build("extractor", Step(name), EXTRACTORS)
    return built


def _html(page: Page) -> str:
    if isinstance(page.html, bytes):
        return decode(page.html[: 2 * MAX_CHARS], page.encoding)
    return page.html or ""


def join(pages: Iterable[Content]) -> Content:
    """Join the pages of one article, in order: the texts of all, and everything else from the first page.

    A paragraph of an earlier page (a summary, a note on the author) is not repeated. Without pages the result
    is `Content(text="")`.

    >>> join([Content("One.\\nBy Ann Lee", "Ferry"), Content("Two.\\nBy Ann Lee", "Ferry, page 2")]).text
    'One.\\nBy Ann Lee\\nTwo.'
    """
    first, *others = [*pages] or [Content(text="")]
    paragraphs = first.text.splitlines()
    seen = set(paragraphs)
    for page in others:
        new = [paragraph for paragraph in page.text.splitlines() if paragraph not in seen]
        paragraphs += new
        seen.update(new)
    return replace(first, text="\n".join(paragraphs))


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
