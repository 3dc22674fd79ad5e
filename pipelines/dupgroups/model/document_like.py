"""The forms in which the Python API takes a document.

It may be a `Page`, a mapping with the fields of one (`html` or `text`, `url`, `id`, ...), bytes (html as
received) or a string (html if it looks like html, else text).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from dupgroups.errors import InputError
from dupgroups.model import Page
from dupgroups.model.config import scope_of

DocumentLike = Page | Mapping[str, Any] | bytes | str

_TAG = re.compile(r"<(?:!doctype|html|head|body|meta|div|p|article|title|script)\b", re.IGNORECASE)
_FIELDS = tuple(field.name for field in fields(Page))


def as_page(document: DocumentLike, group_by: Sequence[str] = ()) -> Page:
    """Convert a document in any of its forms to a Page. Raises InputError for anything else, and for a
    document without html and text.

    `group_by`: the fields of a mapping that make its scope, unless it has one (`config.scope_of`). A whole
    number as `id` of a mapping becomes a string. Every other field must be a string; `html` may be bytes.
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
        given.setdefault("scope", scope_of(group_by, document.get) or None)
        return _checked(Page(**given))
    raise InputError(
        f"a document must be a Page, a mapping, bytes or a string, not {type(document).__name__}"
    )


def _checked(page: Page) -> Page:
    if page.html is None and page.text is None:
        raise InputError("a document has neither html nor text: give one of them")
    for name in _FIELDS:
        value = getattr(page, name)
        if not isinstance(value, str | None) and not (name == "html" and isinstance(value, bytes)):
            raise InputError(f"{name} of a document must be a string, not {type(value).__name__}")
    return page
