"""The two forms of documents in an index: as dup-groups writes them, and as the tool of an adopted one."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from dupgroups.engines.common import names_of
from dupgroups.engines.external_fields import date_of, value_of, values_of
from dupgroups.model import Document, Page
from dupgroups.model.config import BUILT_IN, scope_of
from dupgroups.model.field_names import Fields
from dupgroups.text.values import page_parts, value_at
from dupgroups_es import queries
from dupgroups_es.cluster import Answer
from dupgroups_es.document_source import Source, content_of, hit_document, hit_record, record_source, words_of
from dupgroups_es.layout import OWN_LAYOUT, Layout

_KEEPS_HTML = (
    "its index keeps html, which a crawl does not store: crawl into another index, and group this one with "
    "`dup-groups backfill`"
)


class OwnForm:
    """Documents of an index that dup-groups created."""

    layout = OWN_LAYOUT
    """The fields that a search uses."""
    read_fields = queries.DOCUMENT
    """The fields that a document is read from."""

    def document(self, hit: Answer) -> Document:
        """The grouped document of a hit."""
        return hit_document(hit)

    def as_stored(self, document: Document) -> Document:
        """The document as it will be read."""
        return document

    def refusal(self) -> str:
        """Why a crawl cannot write to the index, in a sentence; "" if it can."""
        return ""


@dataclass(frozen=True, slots=True)
class AdoptedForm:
    """Documents of an adopted index. See OwnForm."""

    layout: Layout

    @property
    def read_fields(self) -> list[str]:
        return page_record_fields(self.layout.fields)

    def document(self, hit: Answer) -> Document:
        return document_of(hit, self.layout.fields)

    def as_stored(self, document: Document) -> Document:
        """See OwnForm.as_stored: the index may have no field for the title."""
        if self.layout.fields.title in self.layout.written:
            return document
        return replace(document, content=replace(document.content, title=""))

    def refusal(self) -> str:
        return "" if self.layout.fields.text in self.layout.written else _KEEPS_HTML

    def explain_unwritable(self, document: Document, stored: Mapping[str, Any]) -> str:
        """Why a crawl cannot write a document over the `stored` fields, in a sentence; "" if it can."""
        fields = self.layout.fields
        if self.refusal() or value_of(stored, fields.html) is not None:
            return _KEEPS_HTML
        scope = json.loads(document.content.scope) if document.content.scope else {}
        if unknown := sorted(scope.keys() - set(fields.group_by)):
            return (
                f"its index was adopted without group_by = {unknown}: run `dup-groups backfill` once with "
                "this configuration"
            )
        return ""

    def source(self, document: Document, stored: Mapping[str, Any]) -> Source:
        """The fields that a crawl writes over `stored` ones: the `dup_` fields, and whatever is new."""
        source = record_source(document.record)
        scope = json.loads(document.content.scope) if document.content.scope else {}
        for name, value in {**self._parts(document, stored), **scope}.items():
            if name in self.layout.written and value is not None and not _is_stored(stored, name, value):
                _set(source, stored, name, value)
        if self.layout.words:
            source["words"] = words_of(document.content)
        return source

    def _parts(self, document: Document, stored: Mapping[str, Any]) -> dict[str | None, Any]:
        """The parts of a document by their fields; None for those that it does not have."""
        content, fields = document.content, self.layout.fields
        return {
            fields.text: content.text,
            fields.title: content.title or (value_of(stored, fields.title) and ""),
            fields.url: content.url,
            fields.date: content.date,
            fields.language: content.language or None,
            fields.site: content.site or (None if stored else document.record.host or None),
            fields.author: names_of(content.author) or None,
            fields.image: content.image,
            fields.source: content.source or None,
        }


def field_names(fields: Fields) -> list[str]:
    """The fields that a page is read from."""
    return [*fields.by_part().values(), *(name for name in fields.group_by if name not in BUILT_IN)]


def page_record_fields(fields: Fields) -> list[str]:
    """The fields that a page and its record are read from."""
    return [*queries.RECORD, *field_names(fields)]


def page_of(hit: Answer, fields: Fields) -> Page:
    """The document as a page."""
    source = hit["_source"]
    parts = page_parts(lambda part: value_at(source, getattr(fields, part, None)))
    html = parts["html"] or None
    date = date_of(source, fields.date, fields.date_format)
    told = {"id": hit["_id"], "date": date, "encoding": None, "scope": _scope(source, fields)}
    return Page(**{**parts, **told, "html": html, "text": None if html else parts["text"] or ""})


def document_of(hit: Answer, fields: Fields) -> Document:
    """The grouped document of a hit."""
    source = hit["_source"]
    return Document(hit_record(hit), content_of(source, fields, _scope(source, fields) or ""))


def _scope(source: Mapping[str, Any], fields: Fields) -> str | None:
    return scope_of(fields.group_by, lambda name: value_of(source, name)) or None


def _is_stored(stored: Mapping[str, Any], name: str, value: str | list[str]) -> bool:
    if isinstance(value, list):
        return values_of(stored, name) == value
    return value in (value_of(stored, name), date_of(stored, name))


def _set(source: Source, stored: Mapping[str, Any], name: str, value: object) -> None:
    """Set a field inside of others, unless the stored document has it under the name with dots."""
    *above, last = [name] if name in stored else name.split(".")
    for part in above:
        source = source.setdefault(part, {})
    source[last] = value
