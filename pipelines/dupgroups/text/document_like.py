"""The forms in which the Python API takes a document.

It may be a `Page`, a mapping with the fields of one (`html` or `text`, `url`, `id`, ...), bytes (html as
received) or a string (html if it looks like html, else text).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import partial
from typing import Any

from dupgroups.errors import InputError
from dupgroups.model import Page
from dupgroups.model.config import scope_of
from dupgroups.text.values import first_of, page_parts, read_part, text_of, value_at, without_text

DocumentLike = Page | Mapping[str, Any] | bytes | str

_TAG = re.compile(r"<(?:!doctype|html|head|body|meta|div|p|article|title|script)\b", re.IGNORECASE)
_PLACE = re.compile(r"(?:https?|file)://\S+|[^\s<]+\.(?:x?html?|txt)(?:\.gz)?", re.IGNORECASE)
_FIELDS = tuple(field.name for field in fields(Page))


def as_page(
    document: DocumentLike, group_by: Sequence[str] = (), names: Mapping[str, str] | None = None
) -> Page:
    """Convert a document in any of its forms to a Page. Raises InputError for anything else, for a document
    without html and text, and for a path or a URL instead of one.

    Of a mapping, `names` are the fields that hold the parts of a page, where they have other names
    (`{"text": "content"}`), and `group_by` those that make its scope, unless it has one (`config.scope_of`).
    Its values are read as those of a file (`text.values`): only html or text makes a document.
    """
    if isinstance(document, Page):
        return _check_page(document)
    if isinstance(document, bytes):
        return Page(html=document)
    if isinstance(document, str):
        check_content(document)
        return Page(html=document) if _TAG.search(document[:4096]) else Page(text=document)
    if isinstance(document, Mapping):
        return _read(document, group_by, names or {})
    kind = type(document).__name__
    raise InputError(f"a document must be a Page, a mapping, bytes or a string, not {kind}")


def check_content(document: object) -> None:
    """Raise InputError for a path or a URL that stands where the content of a page should."""
    if isinstance(document, str) and _PLACE.fullmatch(document.strip()):
        what = f"{document.strip()!r} looks like a path or a URL, not the content of a page"
        raise InputError(f"{what}: give that, such as Path(...).read_bytes() or the body of a response")


def checked_names(names: Mapping[str, str] | None, **others: str) -> Mapping[str, str]:
    """The names of fields, with `others`. Raises InputError for a part that a page does not have."""
    if not isinstance(names, Mapping | None):
        raise InputError(f'fields must be a dict, such as {{"text": "body"}}, not {type(names).__name__}')
    names = {**(names or {}), **others}
    if unknown := [part for part in names if part not in _FIELDS]:
        raise InputError(f"{unknown[0]!r} is not a part of a page: use {', '.join(_FIELDS)}")
    return names


def _read(row: Mapping[str, Any], group_by: Sequence[str], names: Mapping[str, str]) -> Page:
    get = partial(value_at, row)
    parts = page_parts(lambda part: read_part(get, part, names.get(part, part)))
    if parts["html"] is None and parts["text"] is None:
        html, text = (names.get(part, part) for part in ("html", "text"))
        if not isinstance(get(text), str):  # an empty one is a document without text
            raise InputError(f'{without_text(row, (html, text))}: name yours, such as fields={{"text": ...}}')
        parts["text"] = ""
    scope = first_of(get("scope")) or scope_of(group_by, lambda name: text_of(get(name)))
    return Page(**parts, scope=scope or None)


def _check_page(page: Page) -> Page:
    if page.html is None and page.text is None:
        raise InputError("a document has neither html nor text: give one of them")
    for name in _FIELDS:
        value = getattr(page, name)
        if not isinstance(value, str | None) and not (name == "html" and isinstance(value, bytes)):
            raise InputError(f"{name} of a document must be a string, not {type(value).__name__}")
    return page
