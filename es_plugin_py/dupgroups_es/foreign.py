"""Group an index that other tools filled in place: partial updates add the `dup_` fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dupgroups.config import BUILT_IN, scope_of
from dupgroups.engines.foreign import Fields
from dupgroups.errors import ConfigError, EngineError
from dupgroups.model import Content, Document, Page
from dupgroups_es import queries
from dupgroups_es.cluster import Answer, Cluster
from dupgroups_es.documents import hit_record, is_record, record_source
from dupgroups_es.mapping import RECORD_FIELDS, missing_fields, wrong_fields
from dupgroups_es.records import RecordStore
from dupgroups_es.results import total
from dupgroups_es.transport import Action

PAGE = 500  # documents per page of the scroll


class ForeignClusterIndex(RecordStore):
    """See ForeignIndex. The first look-up adds the `dup_` fields to the mapping; nothing changes before.

    `beside`: how the names of the small indices beside it begin; None takes the name of the index.
    """

    def __init__(self, cluster: Cluster, name: str, fields: Fields, beside: str | None = None) -> None:
        indices = cluster.index(name)
        problem = _unfit(name, indices, fields)
        if problem:
            raise ConfigError(f"{cluster.name}: {problem}")
        ((index, answer),) = indices.items()
        super().__init__(cluster, index, f"{beside or index}-redirects")
        self._mapping = answer["mappings"]
        self._fields = fields

    def _prepare_index(self) -> None:
        missing = missing_fields(self._mapping)
        if missing:
            self.cluster.add_fields(self.index, missing)

    def read(self, ids: Sequence[str]) -> dict[str, Document]:
        """See Store.read; a document without the text field has an empty text."""
        hits = self.cluster.mget(self.index, [id_ for id_ in ids if id_], [*queries.RECORD, *self._named()])
        return {id_: _document(hit, self._fields) for id_, hit in hits.items() if is_record(hit)}

    def _named(self) -> list[str]:
        fields = self._fields
        names = [fields.text, fields.html, fields.title, fields.url, fields.date, fields.language]
        others = [name for name in fields.group_by if name not in BUILT_IN]
        return [name for name in (*names, *others) if name]

    def _store_action(self, document: Document) -> Action:
        return Action("update", self.index, document.record.id, record_source(document.record))

    def count(self) -> int:
        """See ForeignIndex."""
        return total(self.cluster.search(self.index, queries.everything()))

    def pages(self) -> Iterator[Page]:
        """See ForeignIndex."""
        self.cluster.refresh(self.index)
        body = queries.scrolled(self._named(), PAGE, self._sortable_date())
        for hits in self.cluster.scroll(self.index, body):
            for hit in hits:
                yield page_of(hit, self._fields)

    def _sortable_date(self) -> str | None:
        """The date field if the server can sort by it, else None."""
        field = _mapped(self._mapping, self._fields.date or "")
        return self._fields.date if field.get("type") in ("date", "date_nanos", "long", "keyword") else None

    def delete(self, ids: Sequence[str]) -> None:
        """Raises EngineError: the documents belong to other tools."""
        raise EngineError(f"{self.name}: documents of an index that other tools filled are never deleted")


def _unfit(name: str, indices: Mapping[str, Answer], fields: Fields) -> str:
    """Why an index cannot be grouped in place, in a sentence; "" if it can."""
    if len(indices) != 1:
        return (
            f"{name!r} stands for {len(indices)} indices: name one index, because groups cannot span several"
        )
    ((index, answer),) = indices.items()
    mapping = answer["mappings"]
    wrong = wrong_fields(mapping)
    if wrong:
        types = ", ".join(
            f"{field} is {kind}, not {RECORD_FIELDS[field]['type']}" for field, kind in wrong.items()
        )
        return f"the mapping of {index!r} does not fit ({types}): copy the documents into a new index"
    if mapping.get("_source", {}).get("enabled") is False:
        return f"{index!r} does not store _source, so fields cannot be added to its documents"
    if not any(_may_hold(mapping, field) for field in (fields.text, fields.html) if field):
        known = ", ".join(mapping.get("properties", {})) or "no fields"
        return f"{index!r} has no field {fields.text!r} for the text; it has {known}"
    return ""


def _may_hold(mapping: Mapping[str, Any], name: str) -> bool:
    """Whether documents may have a field: it is mapped, or the mapping allows unmapped fields."""
    return bool(_mapped(mapping, name)) or str(mapping.get("dynamic", "true")).lower() == "false"


def _mapped(mapping: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The mapping of a field; {} if it is not mapped."""
    field: Mapping[str, Any] = mapping
    for part in name.split("."):
        field = field.get("properties", {}).get(part, {})
    return field


def _document(hit: Answer, fields: Fields) -> Document:
    page = page_of(hit, fields)
    title, language = page.title or "", page.language or ""
    content = Content(page.text or "", title, page.date, language, page.url, scope=page.scope or "")
    return Document(hit_record(hit), content)


def page_of(hit: Answer, fields: Fields) -> Page:
    """The document as a page. Raises EngineError if it has a routing."""
    if "_routing" in hit:
        raise EngineError(
            f"the documents of {hit['_index']!r} have a routing, and backfill cannot update such documents"
        )
    source = hit["_source"]
    return Page(
        id=hit["_id"],
        html=_value(source, fields.html),
        text=None if _value(source, fields.html) else _value(source, fields.text) or "",
        title=_value(source, fields.title),
        url=_value(source, fields.url),
        date=_value(source, fields.date),
        language=_value(source, fields.language),
        scope=scope_of(fields.group_by, lambda name: _value(source, name)) or None,
    )


def _value(source: Mapping[str, Any], name: str | None) -> str | None:
    """The field as text, with one value per line if there are several; None if the field is missing."""
    value = _field(source, name.split(".")) if name else None
    if value is None or isinstance(value, Mapping):
        return None
    if isinstance(value, list):
        return "\n".join(str(item) for item in value) or None
    return str(value)


def _field(source: Any, path: Sequence[str]) -> Any:
    """The value at a path, in nested objects as well as in field names with dots."""
    if not path:
        return source
    if not isinstance(source, Mapping):
        return None
    for length in range(len(path), 0, -1):
        name = ".".join(path[:length])
        if name in source:
            return _field(source[name], path[length:])
    return None
