"""Which fields of an index a search uses: those of an adopted index follow from its mapping."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from dupgroups.model import Query
from dupgroups.model.field_names import Fields

Properties = Mapping[str, Any]

TEXTS = frozenset({"text", "match_only_text", "search_as_you_type", "annotated_text"})
READABLE = TEXTS | {"keyword", "wildcard", "constant_keyword"}
DATES = frozenset({"date", "date_nanos"})
SORTABLE_TYPES = frozenset({*DATES, "long", "keyword"})  # types of a field that orders documents
TITLE_WEIGHT = 3  # how often a word of the title counts


@dataclass(frozen=True, slots=True)
class Layout:
    """`fields` says where a document has its parts. The others are names for queries, None or () where the
    index has no such field: `words` is cut as by `text.words`, `texts` by the analyzers of the index, with
    weights. `written` are the fields that a crawl may write.
    """

    fields: Fields
    is_adopted: bool = False
    words: str | None = None
    texts: tuple[str, ...] = ()
    date: str | None = None
    language: str | None = None
    site: str | None = None
    author: str | None = None
    written: frozenset[str] = frozenset()

    @classmethod
    def of_adopted(cls, mapping: Properties, fields: Fields) -> Layout:
        """The layout of an index that other tools filled."""
        title = _searchable(mapping, fields.title)
        text = _searchable(mapping, fields.text) or _searchable(mapping, fields.html)
        return cls(
            with_dates(fields, mapping),
            is_adopted=True,
            words="words" if _holds_words(mapping) else None,
            texts=tuple(name for name in (title and f"{title}^{TITLE_WEIGHT}", text) if name),
            date=fields.date if mapping_of(mapping, fields.date).get("type") in DATES else None,
            language=_filterable(mapping, fields.language),
            site=_filterable(mapping, fields.site if mapping_of(mapping, fields.site) else "dup_host"),
            author=_filterable(mapping, fields.author),
            written=frozenset(
                name
                for name in (*fields.by_part().values(), *fields.group_by)
                if name != fields.html and may_hold(mapping, name)
            ),
        )

    def explain_unfit(self, query: Query) -> str:
        """Why this index cannot answer a query, in a sentence; "" if it can."""
        if query.text.strip() and not self.words and not self.texts:
            return (
                f"neither the title nor the text of this index ({self.fields}) is a text that can be searched"
            )
        if (query.since or query.until) and self.date is None:
            return (
                "the date is in no field of this index that can be filtered (of type date): name one with "
                "`dup-groups backfill --fields date=FIELD --change-fields`"
            )
        for part in ("language", "site", "author"):
            if getattr(query, part) is not None and getattr(self, part) is None:
                return (
                    f"the {part} is in no field of this index that can be filtered (of type keyword): name "
                    f"one with `dup-groups backfill --fields {part}=FIELD --change-fields`"
                )
        return ""

    @property
    def only_titles(self) -> bool:
        """Whether words are looked for in titles alone."""
        return self.words is None and all(name.endswith(f"^{TITLE_WEIGHT}") for name in self.texts)

    @property
    def shown(self) -> list[str]:
        """The fields that a result shows."""
        names = [name for part, name in self.fields.by_part().items() if part not in ("text", "html")]
        return [*names, *(["dup_host"] if self.is_adopted else ["site_name", "owner"])]


OWN_LAYOUT = Layout(
    Fields(source="source"),
    words="words",
    date="date",
    language="language",
    site="site",
    author="author.names",
)


def mapping_of(mapping: Properties, name: str | None) -> Properties:
    """The mapping of a field; {} if it is not mapped, or nested, where only nested queries find it."""
    fields: Properties = mapping.get("properties", {})
    name = name or ""
    if name in fields:  # also with dots: in mappings without subobjects it is the name of one field
        field: Properties = fields[name]
        return {} if field.get("type") == "nested" else field
    above, dot, below = name.partition(".")
    return mapping_of(mapping_of(mapping, above), below) if dot else {}


def with_dates(fields: Fields, mapping: Properties) -> Fields:
    """The fields with the format in which the mapping wants dates."""
    return replace(fields, date_format=mapping_of(mapping, fields.date).get("format", ""))


def may_hold(mapping: Properties, name: str) -> bool:
    """Whether documents may have a field: it is mapped, or the mapping allows unmapped fields."""
    return bool(mapping_of(mapping, name)) or str(mapping.get("dynamic", "true")).lower() == "false"


def has_type(mapping: Properties, types: frozenset[str]) -> bool:
    """Whether a field of a mapping, or one inside of another, is of such a type."""
    fields = mapping.get("properties", {}).values()
    return any(field.get("type") in types or has_type(field, types) for field in fields)


def _searchable(mapping: Properties, name: str | None) -> str | None:
    return _usable_field(mapping, name, TEXTS, "index")


def _filterable(mapping: Properties, name: str | None) -> str | None:
    return _usable_field(mapping, name, {"keyword"}, "index", "doc_values")


def _usable_field(
    mapping: Properties, name: str | None, types: frozenset[str] | set[str], *needed: str
) -> str | None:
    """The field, or one of its multi-fields, if it is of such a type and nothing needed is switched off."""
    if name is None:
        return None
    field = mapping_of(mapping, name)
    candidates: dict[str, Properties] = {name: field}
    candidates |= {f"{name}.{other}": properties for other, properties in field.get("fields", {}).items()}
    for candidate, properties in candidates.items():
        if properties.get("type") in types and all(properties.get(part, True) for part in needed):
            return candidate
    return None


def _holds_words(mapping: Properties) -> bool:
    words = mapping_of(mapping, "words")
    return words.get("type") == "text" and words.get("analyzer") == "whitespace"
