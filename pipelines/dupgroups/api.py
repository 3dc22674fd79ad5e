"""The Python API: functions over pages that need no engine. Documents may have any of the forms in
`document_like`.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from dupgroups.bulk.offline.bulk import came_before
from dupgroups.bulk.offline.pages import group_pages
from dupgroups.content import extract as extract_page
from dupgroups.content.extract import article_score as score_page
from dupgroups.errors import InputError
from dupgroups.flow.method_set import MethodSet
from dupgroups.flow.signing import sign
from dupgroups.model import Content, Page, Verdict
from dupgroups.model.config import Config
from dupgroups.model.document_like import DocumentLike, as_page

log = logging.getLogger(__name__)


def extract(html: bytes | str, url: str | None = None, extractor: str = "auto") -> Content:
    """Extract the article of an html page: text, title, date, language, canonical URL, site.

    `url` helps to identify the page and to find its date. The content of a page never raises an error; a page
    without an article gives `Content(text="")`. Raises ConfigError for an unknown extractor, InputError for
    what is neither a string nor bytes.
    """
    return extract_page(_page(html, url), extractor=extractor)


def extract_text(html: bytes | str, url: str | None = None, extractor: str = "auto") -> str:
    """Only the text that `extract` gives, "" without an article: the interface that benchmarks expect."""
    return extract(html, url, extractor).text


def article_score(html: bytes | str, url: str | None = None, method: str = "auto") -> float:
    """The confidence, 0 to 1, that an html page is an article and not a front page, list or gallery.

    `method`: "auto" is `Content.article`, "c45" the decision tree after Standke. The content of a page never
    raises an error; any other method raises ConfigError.
    """
    return score_page(_page(html, url), method)


def _page(html: bytes | str, url: str | None) -> Page:
    if not isinstance(html, bytes | str):
        raise InputError(f"html must be a string or bytes, not {type(html).__name__}")
    return Page(url=url, html=html)


def compare(a: DocumentLike, b: DocumentLike, config: Config | None = None) -> Verdict:
    """Compare document `a` with document `b`: relation, score (0 to 1), and the reason in a sentence.

    Two documents with signatures of different schemes (an English and a Chinese one) are `different`. If
    either has too little text, the relation is `too_short`.
    """
    methods = MethodSet(config)
    one, two = (sign(as_page(document), methods) for document in (a, b))
    if one.record.signature.scheme != two.record.signature.scheme:
        return Verdict("different", 0.0, "Their languages use different signature schemes.")
    return methods.verdict(one, two)


def group(
    documents: Iterable[DocumentLike] | Mapping[str, DocumentLike],
    config: Config | None = None,
    *,
    processes: int | None = 1,
) -> dict[str, str]:
    """The group of each document, as `{id: group}`; no documents give {}.

    A group has the id of its first document. A document without an `id` gets its key in the mapping as id, or
    its position ("0", "1", ...) if `documents` is not a mapping. Of several documents with one id the last
    counts, in the place of the first, and a warning is logged. `processes=None` uses all cores. Raises
    InputError for what is not a list or mapping of documents.
    """
    if isinstance(documents, str | bytes | Page):
        raise InputError(f"give a list or a mapping of documents, not one {type(documents).__name__}")
    items = documents.items() if isinstance(documents, Mapping) else enumerate(documents)
    group_by = config.group_by if config else ()
    pages = [_named(document, str(key), group_by) for key, document in items]
    result = group_pages(pages, config, processes=processes)
    if warning := came_before(result.repeated):
        log.warning(warning)
    return result.groups


def _named(document: DocumentLike, name: str, group_by: Sequence[str]) -> Page:
    try:
        page = as_page(document, group_by)
    except InputError as error:
        raise InputError(f"document {name}: {error}") from error
    return page if page.id else replace(page, id=name)
