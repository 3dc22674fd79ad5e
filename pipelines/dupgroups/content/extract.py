"""The whole way from the bytes of a page to its Content."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from dupgroups.config import Step
from dupgroups.content.article import article_probability
from dupgroups.content.auto import Auto, shipped
from dupgroups.content.base import Extractor
from dupgroups.content.blocks import divide
from dupgroups.content.bounds import MAX_CHARS
from dupgroups.content.bylines import byline
from dupgroups.content.coreex import CoreEx
from dupgroups.content.crf import CRF
from dupgroups.content.heuristic import Heuristic
from dupgroups.content.maxent import MaxEnt
from dupgroups.content.metadata import Metadata, metadata
from dupgroups.content.mss import MSS
from dupgroups.content.whole import Whole
from dupgroups.model import Content, Page
from dupgroups.registry import build
from dupgroups.text import language, urls
from dupgroups.text.decoding import decode

EXTRACTORS: dict[str, type[Extractor]] = {
    "auto": Auto,
    "coreex": CoreEx,
    "crf": CRF,
    "heuristic": Heuristic,
    "maxent": MaxEnt,
    "mss": MSS,
    "whole": Whole,
}


def extract(page: Page, *, extractor: str | Step = "auto") -> Content:
    """The article of `page`: no navigation, related links, comments; the headline goes into `title` only.

    Never raises for any bytes; a page without an article gives `Content(text="")`. A page that brings its
    `text` keeps it as it is. At most 8,000,000 characters are read, of html and of text. Raises ConfigError
    for an unknown extractor.
    """
    chosen = _extractor(Step.parse(extractor))
    html = _html(page)
    blocks = divide(html, hrefs=False)
    told = metadata(blocks, page.url)
    if page.text is not None:
        return _content(page, told, page.text[:MAX_CHARS], 1.0)
    auto = chosen if isinstance(chosen, Auto) else Auto()
    probabilities = shipped().probabilities(blocks, told.title)
    surest = auto.select(blocks, probabilities)
    kept = surest if chosen is auto else chosen(blocks)
    text = "\n".join(blocks.blocks[index].text for index in kept)
    article = article_probability(blocks, surest, probabilities, told.is_article, page.url)
    author = told.author or byline(blocks.html, blocks, surest)
    return _content(page, replace(told, author=author), text, article)


def _extractor(step: Step) -> Extractor:
    return _plain(step.name) if not step.params else build("extractor", step, EXTRACTORS)


@lru_cache(maxsize=32)
def _plain(name: str) -> Extractor:
    built: Extractor = build("extractor", Step(name), EXTRACTORS)
    return built


def _html(page: Page) -> str:
    if isinstance(page.html, bytes):
        return decode(page.html[: 2 * MAX_CHARS], page.encoding)
    return page.html or ""


def _content(page: Page, told: Metadata, text: str, article: float) -> Content:
    url = urls.identity(page.url, told.canonical)
    return Content(
        text=text,
        title=page.title or told.title,
        date=page.date or told.date,
        language=page.language or language.detect(text or told.title, told.language),
        url=url,
        site=told.site or urls.host_of(url) or None,
        article=article,
        author=told.author,
        image=told.image,
    )
