"""The JSON API as an OpenAPI document. The schemas of the answers are made from the data types themselves."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from dupgroups.engines.base import FACETS, WINDOW
from dupgroups.explain.groups import Score
from dupgroups.model import Copy, Facet, Hit, Query, Relation, SearchMode
from dupgroups.version import __version__
from dupgroups.web.parameters import LONGEST, MOST, PAGE

Schema = dict[str, Any]

_PLAIN: Mapping[Any, str] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    types.NoneType: "null",
}


def schema_of(kind: Any) -> Schema:
    """The schema of a type that occurs in the answers; a data type is referred to by its name.

    >>> schema_of(int | None)
    {'anyOf': [{'type': 'integer'}, {'type': 'null'}]}
    """
    if kind in _PLAIN:
        return {"type": _PLAIN[kind]}
    if isinstance(kind, type) and is_dataclass(kind):
        return {"$ref": f"#/components/schemas/{kind.__name__}"}
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return {"type": "string", "enum": list(arguments)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [schema_of(argument) for argument in arguments]}
    if origin is tuple:
        return _array(schema_of(arguments[0]))
    raise TypeError(f"an answer cannot hold {kind!r}")


def _array(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _object(properties: Mapping[str, Schema], description: str = "") -> Schema:
    described = {"description": description} if description else {}
    return {
        "type": "object",
        **described,
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _component(kind: type, **more: Schema) -> Schema:
    hints = get_type_hints(kind)
    properties = {field.name: schema_of(hints[field.name]) for field in fields(kind)}
    return _object(properties | more, _paragraph(kind))


def _paragraph(documented: Any) -> str:
    """The first paragraph of a docstring, as one line."""
    return " ".join((documented.__doc__ or "").partition("\n\n")[0].split())


_STRING, _NUMBER = schema_of(str), schema_of(int)
_RELATED = _component(Copy)["properties"] | {
    "member": _STRING,
    "relation": schema_of(Relation),
    "score": schema_of(float),
    "group": _STRING,
}
_EXPLAINED = (
    *("a", "b", "relation", "score", "reason", "joins", "one_group", "schemes", "judge", "signed_again"),
    *("within_days", "days_apart", "signals", "changes", "features", "feature_strings", "alignment"),
)
_SCHEMAS = {
    "Query": _component(Query),
    "Hit": _component(Hit, sources=_array(_STRING), more_sites=_NUMBER),
    "Copy": _component(Copy),
    "Facet": _component(Facet),
    "Score": _component(Score),
    "Results": _object(
        {
            "query": schema_of(Query),
            "stories": _NUMBER,
            "documents": _NUMBER,
            "exact": schema_of(bool),
            "cursor": schema_of(str | None),
            "facets": {
                "type": "object",
                "additionalProperties": _array(schema_of(Facet)) | {"maxItems": FACETS},
            },
            "hits": _array(schema_of(Hit)) | {"maxItems": MOST},
        },
        "A page of results. `stories` counts groups, `documents` the matching documents; `exact` says "
        "whether `stories` is exact. In snippets, matching words are between U+E000 and U+E001.",
    ),
    "Story": _object(
        {
            "group": _STRING,
            "former_names": _array(_STRING),
            "copies": _array(
                _object(_component(Copy)["properties"] | {"first_seen": schema_of(str | None)}, "A copy.")
            ),
            "scores": _array(schema_of(Score)),
            "related": _array(
                _object(_RELATED, "A document of another story, and how it relates to `member`.")
            ),
        },
        "The copies of a story, oldest first, each with the time when it was first seen (ISO 8601, UTC).",
    ),
    "Explanation": _object(
        {name: {} for name in _EXPLAINED} | {"relation": schema_of(Relation)},
        "What was measured of two documents, what would change the verdict, and both texts aligned.",
    ),
    "Health": _object({"status": {"const": "ok"}}),
    "Error": _object({"error": _STRING}, "One sentence that says what is wrong."),
}


def _id(name: str) -> Schema:
    place = {"name": name, "in": "query", "required": True}
    return {**place, "schema": _STRING | {"minLength": 1}, "description": "The id of a document."}


def _parameter(name: str, schema: Schema, description: str) -> Schema:
    query = {"name": name, "in": "query", "allowEmptyValue": True}  # as good as none
    return {**query, "schema": schema, "description": description}


def _number(most: int, default: int) -> Schema:
    return {"type": "integer", "minimum": 0, "maximum": most, "default": default}


_SEARCH_PARAMETERS = [
    _parameter("q", _STRING | {"maxLength": LONGEST}, "Words that must all occur; without any, everything."),
    _parameter("mode", schema_of(SearchMode) | {"default": Query().mode}, "What is a hit; see the docs."),
    _parameter("limit", _number(MOST, PAGE), "Hits on a page."),
    _parameter(
        "offset",
        _number(WINDOW, 0),
        f"Hits before the page; with `limit` at most {WINDOW:,}, not with `cursor`.",
    ),
    _parameter("copies", _number(MOST, Query().copies), "Other members of each group, at most."),
    _parameter("language", _STRING, "Only this language, such as en."),
    _parameter("site", _STRING, "Only this site, as hits name it."),
    _parameter("author", _STRING, "Only this author, by the complete name."),
    _parameter("cursor", _STRING, "`cursor` of the page before (modes head and all)."),
    _parameter("any_word", _number(1, 0), "1 finds documents with any of the words."),
]


def _answer(schema: str, description: str) -> Schema:
    content = {"schema": {"$ref": f"#/components/schemas/{schema}"}}
    return {"description": description, "content": {"application/json": content}}


_ERRORS = {
    "400": _answer("Error", "A parameter is unknown or has an invalid value, or the Host is not allowed."),
    "503": _answer("Error", "The engine does not answer now: try again in a moment."),
}


def _get(summary: str, schema: str, parameters: list[Schema] | None = None, **errors: Schema) -> Schema:
    responses = {"200": _answer(schema, "The answer."), **_ERRORS, **errors}
    return {"get": {"summary": summary, "parameters": parameters or [], "responses": responses}}


_GROUP = {
    "name": "group",
    "in": "path",
    "required": True,
    "schema": _STRING | {"minLength": 1},
    "description": "The id of a group, or one of its former names.",
}

DESCRIPTION: Schema = {
    "openapi": "3.1.0",
    "info": {
        "title": "dup-groups",
        "version": __version__,
        "description": "News stories with their copies, as the search page shows them.",
    },
    "paths": {
        "/api/search": _get("Search, one hit per story", "Results", _SEARCH_PARAMETERS),
        "/api/groups/{group}": _get(
            "The copies of a story", "Story", [_GROUP], **{"404": _answer("Error", "There is no such story.")}
        ),
        "/api/explain": _get(
            "Why two documents are one story, or two",
            "Explanation",
            [_id("a"), _id("b")],
            **{"404": _answer("Error", "There is no such document.")},
        ),
        "/healthz": _get("Whether the engine answers", "Health"),
    },
    "components": {"schemas": _SCHEMAS},
}
