"""Documents as JSON, and back: as dup-groups writes them, without loss, and as tools of adopted indices."""

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from dupgroups.engines.common import lines_of_ties, names_of, site_of, ties_of_lines
from dupgroups.engines.external_fields import date_of, value_of, values_of
from dupgroups.model import Content, Copy, Document, Page, Record, Signature
from dupgroups.model.config import BUILT_IN, scope_of
from dupgroups.model.field_names import Fields
from dupgroups.text.language import normalize_language
from dupgroups.text.terms import search_terms
from dupgroups.text.values import first_of, line_of, page_parts, value_at
from dupgroups.text.words import search_words
from dupgroups_es import queries
from dupgroups_es.layout import OWN_LAYOUT, TITLE_WEIGHT, Layout
from dupgroups_es.positions import Version

Source = dict[str, Any]
Hit = Mapping[str, Any]

_KEEPS_HTML = (
    "its index keeps html, which a crawl does not store: crawl into another index, and group this one with "
    "`dup-groups backfill`"
)
_FIELDS = Fields(site="site_name", source="source")  # `site` is the one that is shown
ID_BYTES = 512  # maximum length of an `_id`


def record_source(record: Record) -> Source:
    """The `dup_` fields of a record."""
    return {
        "dup_id": record.id,
        **group_source(record),
        "dup_host": record.host,
        "dup_scheme": record.signature.scheme,
        "dup_keys": list(record.signature.keys),
        "dup_signature": base64.b64encode(record.signature.body).decode("ascii"),
        "dup_fingerprint": record.fingerprint,
        "dup_first_seen": record.first_seen,
        "dup_last_seen": record.last_seen,
        "dup_length": record.length,
        "dup_canonical": record.canonical,
        "dup_published": record.published,
        "dup_ties": lines_of_ties(record.ties),
    }


def group_source(record: Record) -> Source:
    """The fields that a move changes."""
    return {"dup_group": record.group, "dup_head": record.is_head}


def document_source(document: Document) -> Source:
    """All stored fields of a document; missing values are left out."""
    content = document.content
    title, text = (search_terms(field, content.language) for field in (content.title, content.text))
    weighted = [title] * TITLE_WEIGHT + [text]
    optional = {
        "url": content.url,
        "site": site_of(document) or None,
        "site_name": content.site,
        "date": content.date,
        "language": content.language or None,
        "author": names_of(content.author) or None,
        "image": content.image,
        "scope": content.scope or None,
        "source": content.source or None,
        "owner": content.owner or None,
    }
    return {
        **record_source(document.record),
        **{name: value for name, value in optional.items() if value is not None},
        "title": content.title,
        "text": content.text,
        "words": " ".join(chain.from_iterable(terms.words for terms in weighted)),
        # no phrase goes from one into the next
        "terms": [
            *(" ".join(terms.words + terms.pairs) for terms in weighted),
            " ".join(dict.fromkeys(title.stems + text.stems)),
        ],
        "article": content.article,
    }


def words_of(content: Content) -> str:
    """The words of the title and the text, split by blanks."""
    return " ".join(search_words(content.title) * TITLE_WEIGHT + search_words(content.text))


_TYPES: Mapping[str, Any] = {
    **dict.fromkeys(("dup_group", "dup_host", "dup_scheme", "dup_signature", "dup_fingerprint"), str),
    **dict.fromkeys(("dup_first_seen", "dup_last_seen", "dup_length"), int),
    "dup_keys": list,
    "dup_canonical": bool,
    "dup_published": int | None,
    "dup_ties": list | None,
}


def is_record(hit: Hit) -> bool:
    """Whether a hit has a signature and what goes with it; in an external index some have not, or others have
    written into our fields.
    """
    source = hit["_source"]
    is_whole = all(isinstance(source.get(name), type_) for name, type_ in _TYPES.items())
    return is_whole and {*map(type, source["dup_keys"])} <= {str}


def hit_group(hit: Hit) -> str:
    """The group of a hit; a document without one stands alone."""
    group: str = hit["_source"].get("dup_group", hit["_id"])
    return group


def hit_version(hit: Hit) -> Version:
    """The version of a hit: its sequence number and primary term."""
    return hit["_seq_no"], hit["_primary_term"]


def hit_record(hit: Hit) -> Record:
    """The record of a search hit, or of a document fetched by id."""
    source = hit["_source"]
    return Record(
        id=hit["_id"],
        group=hit_group(hit),
        host=source["dup_host"],
        signature=Signature(
            source["dup_scheme"], tuple(source["dup_keys"]), base64.b64decode(source["dup_signature"])
        ),
        first_seen=source["dup_first_seen"],
        last_seen=source["dup_last_seen"],
        fingerprint=source["dup_fingerprint"],
        length=source["dup_length"],
        canonical=source["dup_canonical"],
        published=source.get("dup_published"),
        ties=ties_of_lines(source.get("dup_ties") or ()),
        head=source.get("dup_head"),
        version=hit_version(hit) if "_seq_no" in hit else None,
    )


def hit_document(hit: Hit) -> Document:
    """The complete document of a hit."""
    source = hit["_source"]
    content = content_of(source, _FIELDS, source.get("scope", ""))
    kept = {"article": source["article"], "owner": source.get("owner", "")}
    return Document(hit_record(hit), replace(content, **kept))


def content_of(source: Source, fields: Fields, scope: str) -> Content:
    """The content in these fields. Html is not extracted: where there is nothing else, the text is ""."""
    text, site = value_of(source, fields.text) or "", first_of(value_at(source, fields.site))
    named = line_of(value_at(source, fields.source)) or ""
    return Content(text=text, site=site, scope=scope, source=named, **_parts(source, fields))


def _parts(source: Source, fields: Fields) -> dict[str, Any]:
    """The parts of a document other than its text and site."""
    return {
        "title": line_of(value_at(source, fields.title)) or "",
        "date": date_of(source, fields.date, fields.date_format),
        "language": normalize_language(first_of(value_at(source, fields.language))),
        "url": first_of(value_at(source, fields.url)),
        "author": ", ".join(values_of(source, fields.author)),
        "image": first_of(value_at(source, fields.image)),
    }


def hit_copy(hit: Hit, layout: Layout = OWN_LAYOUT) -> Copy:
    """A hit as search results show it."""
    source, fields = hit["_source"], layout.fields
    return Copy(
        id=hit["_id"],
        site=source.get("site_name") or first_of(value_at(source, fields.site)) or source.get("dup_host", ""),
        owner="" if layout.is_adopted else source.get("owner", ""),
        **_parts(source, fields),
    )


def id_refusal(id_: str) -> str:
    """Why a server would reject this id, in a sentence; "" if it would not."""
    size = len(id_.encode("utf-8", "replace"))
    if size <= ID_BYTES:
        return ""
    return f"its id has {size} bytes, but a cluster allows {ID_BYTES}: give it a shorter id"


# -- documents of an index, by who created it


class OwnForm:
    """Documents of an index that dup-groups created."""

    layout = OWN_LAYOUT
    """The fields that a search uses."""
    read_fields = queries.DOCUMENT
    """The fields that a document is read from."""

    def document(self, hit: Hit) -> Document:
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

    def document(self, hit: Hit) -> Document:
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


def page_of(hit: Hit, fields: Fields) -> Page:
    """The document as a page."""
    source = hit["_source"]
    parts = page_parts(lambda part: value_at(source, getattr(fields, part, None)))
    html = parts["html"] or None
    date = date_of(source, fields.date, fields.date_format)
    told = {"id": hit["_id"], "date": date, "encoding": None, "scope": _scope(source, fields)}
    return Page(**{**parts, **told, "html": html, "text": None if html else parts["text"] or ""})


def document_of(hit: Hit, fields: Fields) -> Document:
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
