"""The Python API: functions over pages that need no engine. Documents may have any of the forms in
`document_like`.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, overload

from dupgroups.bulk.offline.bulk import describe_repeated
from dupgroups.bulk.offline.page_groups import Resources, grouped_pages
from dupgroups.content import extract as extract_page
from dupgroups.content.article_methods import article_score as score_page
from dupgroups.errors import InputError
from dupgroups.flow.finding import relate
from dupgroups.flow.method_set import MethodSet
from dupgroups.flow.signing import sign
from dupgroups.model import Content, Page, Verdict
from dupgroups.model.config import Config
from dupgroups.text.dataframes import table_of
from dupgroups.text.document_like import DocumentLike, as_page, check_content, checked_names
from dupgroups.text.values import value_at

log = logging.getLogger(__name__)


def extract(html: bytes | str | Page, url: str | None = None, extractor: str = "auto") -> Content:
    """Extract the article of an html page, or of a `Page`: text, title, date, language, canonical URL, site.

    `url` helps to identify the page and to find its date. The content of a page never raises an error; a page
    without an article gives `Content(text="")`. Raises ConfigError for an unknown extractor, InputError for
    what is neither a string nor bytes, and for a path or a URL, which is not read.
    """
    return extract_page(_page(html, url), extractor=extractor)


def extract_text(html: bytes | str | Page, url: str | None = None, extractor: str = "auto") -> str:
    """Only the text that `extract` gives, "" without an article: the interface that benchmarks expect."""
    return extract(html, url, extractor).text


def article_score(html: bytes | str | Page, url: str | None = None, method: str = "auto") -> float:
    """The confidence, 0 to 1, that an html page is an article and not a front page, list or gallery.

    `method`: "auto" is `Content.article`, "c45" the decision tree after Standke. The content of a page never
    raises an error; any other method raises ConfigError.
    """
    return score_page(_page(html, url), method)


def _page(html: bytes | str | Page, url: str | None) -> Page:
    if isinstance(html, Page):
        return replace(as_page(html), url=url or html.url)
    if not isinstance(html, bytes | str):
        raise InputError(f"html must be a string or bytes, not {type(html).__name__}")
    check_content(html)
    return Page(url=url, html=html)


def compare(a: DocumentLike, b: DocumentLike, config: Config | None = None) -> Verdict:
    """Compare document `a` with document `b`: relation, score (0 to 1), and the reason in a sentence.

    Two documents with signatures of different schemes (an English and a Chinese one) are `different`. If
    either has too little text, the relation is `too_short`.
    """
    methods = MethodSet(config)
    one, two = (sign(as_page(document), methods) for document in (a, b))
    return relate(one, two, methods)


@overload
def group(
    documents: Iterable[DocumentLike] | Mapping[Any, DocumentLike],
    config: Config | None = None,
    *,
    text: str | None = None,
    fields: Mapping[str, str] | None = None,
    processes: int | None = 1,
) -> dict[Any, Any]: ...
@overload
def group(
    documents: Any,
    config: Config | None = None,
    *,
    text: str | None = None,
    fields: Mapping[str, str] | None = None,
    processes: int | None = 1,
) -> Any: ...
def group(
    documents: Any,
    config: Config | None = None,
    *,
    text: str | None = None,
    fields: Mapping[str, str] | None = None,
    processes: int | None = 1,
) -> Any:
    """The group of each document, as `{id: group}`; no documents give {}. Of a frame or series of pandas or
    polars, a series of groups with the same index.

    A group has the id of its first document. A document without an `id` is named by its key in a mapping, by
    its label in an index, and by its position (0, 1, ...) in anything else; names stay what they are, numbers
    too. `text` and `fields` say which columns of a frame, or keys of mappings, hold what:
    `group(frame, text="content")`, `group(records, fields={"text": "content", "url": "link"})`. Rows of a
    frame without text are alone.

    Of several documents with one id the last counts, in the place of the first, and a warning is logged.
    `processes=None` uses all cores. Raises InputError for what is not a list, mapping or frame of documents.
    """
    names = checked_names(fields, **({"text": text} if text else {}))
    table = table_of(documents)
    if table:
        table.check(names)
        named: Iterable[tuple[Any, Any]] = zip(table.keys, table.fill_texts(names), strict=True)
    elif isinstance(documents, Iterable) and not isinstance(documents, str | bytes | Page):
        named = documents.items() if isinstance(documents, Mapping) else enumerate(documents)
    else:
        kind = type(documents).__name__
        raise InputError(f"give a list, a mapping or a frame of documents, not one {kind}")
    pages, given_names = _page_named(named, names, config.group_by if config else ())
    with grouped_pages(pages, config, Resources(processes)) as result:
        groups = dict(result)
    if warning := describe_repeated(result.repeated):
        log.warning(warning)
    if table:
        return table.result([given_names[groups[page.id or ""]] for page in pages])
    return {given_names[id_]: given_names[group] for id_, group in groups.items()}


def _page_named(
    documents: Iterable[tuple[Any, DocumentLike]], names: Mapping[str, str], group_by: Sequence[str]
) -> tuple[list[Page], dict[str, Any]]:
    """The pages, each with an id, and what the ids are in the form in which they were given."""
    pages, given_names = [], dict[str, Any]()
    for key, document in documents:
        try:
            page = as_page(document, group_by, names)
        except InputError as error:
            raise InputError(f"document {key}: {error}") from error
        name = key
        if page.id:
            found_name = value_at(document, names.get("id", "id")) if isinstance(document, Mapping) else None
            name = found_name if isinstance(found_name, int) else page.id
        page = page if page.id else replace(page, id=str(key))
        assert page.id is not None
        if given_names.setdefault(page.id, name) != name:
            raise InputError(f"document {key}: {name!r} and {given_names[page.id]!r} are the same id")
        pages.append(page)
    return pages, given_names
