"""The Python face: functions over pages, without an engine.

Everywhere a document may be a `Page`, a mapping with the fields of one (`html` or `text`, `url`, `id`, ...),
bytes (html as received) or a string (html when it looks like it, else text).
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Any

from dupgroups.config import Config
from dupgroups.content import extract as extract_page
from dupgroups.content.article_tree import article_score as score_page
from dupgroups.errors import InputError
from dupgroups.method_set import MethodSet
from dupgroups.model import Content, Page, Verdict
from dupgroups.offline import group_pages
from dupgroups.signing import sign

DocumentLike = Page | Mapping[str, Any] | bytes | str

_TAG = re.compile(r"<(?:!doctype|html|head|body|meta|div|p|article|title|script)\b", re.IGNORECASE)
_FIELDS = tuple(each.name for each in fields(Page))

log = logging.getLogger(__name__)


def extract(html: bytes | str, url: str | None = None, extractor: str = "auto") -> Content:
    """The article of an html page: text, title, date, language, canonical URL, site.

    `url` helps with the identity of the page and its date. Never raises for what is in the page; a page
    without an article gives `Content(text="")`. Raises ConfigError for an unknown extractor.
    """
    return extract_page(Page(url=url, html=html), extractor=extractor)


def extract_text(html: bytes | str, url: str | None = None, extractor: str = "auto") -> str:
    """The text of `extract` alone, "" without an article: what evaluators of extractors take."""
    return extract(html, url, extractor).text


def article_score(html: bytes | str, url: str | None = None, method: str = "auto") -> float:
    """How surely an html page is an article rather than a front page, list or gallery: 0 to 1.

    `method`: "auto" is `Content.article`, "c45" the decision tree after Standke. Never raises for what is in
    the page; raises ConfigError for another method.
    """
    return score_page(Page(url=url, html=html), method)


def compare(a: DocumentLike, b: DocumentLike, config: Config | None = None) -> Verdict:
    """How document `a` stands to document `b`: relation, score (0 to 1), and the reason in a sentence.

    Two documents that are signed in different ways (an English and a Chinese one) are `different`; one with
    too little text is `too_short`.
    """
    methods = MethodSet(config)
    one, two = (sign(as_page(each), methods).record for each in (a, b))
    if one.signature.scheme != two.signature.scheme:
        return Verdict("different", 0.0, "They are in languages that are compared in different ways.")
    return methods.judge(one.signature.scheme)(one, two)


def group(
    documents: Iterable[DocumentLike] | Mapping[str, DocumentLike],
    config: Config | None = None,
    *,
    processes: int | None = 1,
) -> dict[str, str]:
    """The group of each document, as `{id: group}`; a group is named by its first document. {} for none.

    A document without an id of its own is named by its key, when a mapping is given, else by its position
    ("0", "1", ...). Of several documents with one id the last counts, in the place of the first, and a
    warning is logged. `processes=None` takes all cores.
    """
    items = documents.items() if isinstance(documents, Mapping) else enumerate(documents)
    pages = [_named(each, str(key)) for key, each in items]
    result = group_pages(pages, config, processes=processes)
    if result.warning:
        log.warning(result.warning)
    return result.groups


def as_page(document: DocumentLike) -> Page:
    """Anything that stands for a document as a Page. Raises InputError for what does not.

    A number that a mapping has for an id becomes a string; every other field has to be one (html: or bytes).
    """
    if isinstance(document, Page):
        return _checked(document)
    if isinstance(document, bytes):
        return Page(html=document)
    if isinstance(document, str):
        return Page(html=document) if _TAG.search(document[:4096]) else Page(text=document)
    if isinstance(document, Mapping):
        given = {name: document[name] for name in _FIELDS if document.get(name) is not None}
        if isinstance(given.get("id"), int):
            given["id"] = str(given["id"])
        return _checked(Page(**given))
    raise InputError(f"a document is a Page, a mapping, bytes or a string, not {type(document).__name__}")


def _checked(page: Page) -> Page:
    for name in _FIELDS:
        value = getattr(page, name)
        if not isinstance(value, str | None) and not (name == "html" and isinstance(value, bytes)):
            raise InputError(f"{name} of a document is a string, not {type(value).__name__}")
    return page


def _named(document: DocumentLike, name: str) -> Page:
    try:
        page = as_page(document)
    except InputError as error:
        raise InputError(f"document {name}: {error}") from error
    return page if page.id else replace(page, id=name)
