"""The JSON API as an OpenAPI document. The schemas of the answers are made from the data types themselves."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from dupgroups.engines.base import COUNTED, FACETS, SORTED, WINDOW
from dupgroups.explain.groups import Score
from dupgroups.flow.correcting import KINDS
from dupgroups.model import Copy, Correction, Facet, Hit, Period, Query, Relation, SearchMode, Sort
from dupgroups.version import __version__
from dupgroups.web.correcting import LISTED, NO_TOKENS, SHOWN
from dupgroups.web.parameters import LONGEST, MOST, PAGE
from dupgroups.web.sessions import BYTES

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
    if origin is Mapping:
        return {"type": "object", "additionalProperties": schema_of(arguments[1])}
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


def _new_correction(kind: str, documents: int) -> Schema:
    """What is sent for a correction of this many documents; other properties are ignored."""
    names = ("a", "b")
    sent = {"kind": {"const": kind}, **dict.fromkeys(names[:documents], _ID)}
    absent = dict.fromkeys(names[documents:], schema_of(types.NoneType))
    return {"type": "object", "properties": sent | absent, "required": list(sent)}


_STRING, _NUMBER = schema_of(str), schema_of(int)
_ID = _STRING | {"minLength": 1}
_DAY = _STRING | {"format": "date"}
_ENTRY_NUMBER = _NUMBER | {"minimum": 1, "maximum": 999_999_999}
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
    "Period": _component(Period, since=_DAY, until=_DAY),
    "Score": _component(Score),
    "Results": _object(
        {
            "query": schema_of(Query),
            "stories": _NUMBER,
            "documents": _NUMBER,
            "exact": schema_of(bool),
            "complete": schema_of(bool),
            "all_sorted": schema_of(bool),
            "cursor": schema_of(str | None),
            "facets": {
                "type": "object",
                "additionalProperties": _array(schema_of(Facet)) | {"maxItems": FACETS},
            },
            "histogram": _array(schema_of(Period)),
            "hits": _array(schema_of(Hit)) | {"maxItems": MOST},
        },
        "A page of results. `stories` counts groups, `documents` the matching documents; `exact` says "
        "whether `stories` is exact. `histogram` counts the matching documents by day, month or year, in "
        "order, without the periods that have none. If `complete` is false, stories (except in head mode), "
        f"facets and histogram are those of the first {COUNTED:,} documents, and there may be more; if "
        f"`all_sorted` is false, only the {SORTED:,} documents that were stored last were sorted, and "
        "`documents` is that number. In snippets, matching words are between U+E000 and U+E001.",
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
    "Correction": _component(
        Correction, number=_ENTRY_NUMBER, ids=_array(_STRING) | {"minItems": 1, "maxItems": 2}
    ),
    "Corrections": _object(
        {"corrections": _array(schema_of(Correction)) | {"maxItems": LISTED}, "all": _NUMBER},
        "The newest entries of the log, newest first; `all` counts those of the whole log.",
    ),
    "NewCorrection": {
        "description": "A correction of the documents with the ids `a` and `b`, or of `a` alone.",
        "oneOf": [_new_correction(kind, documents) for kind, documents in KINDS.items()],
    },
    "Health": _object({"status": {"const": "ok"}}),
    "Error": _object({"error": _STRING}, "One sentence that says what is wrong."),
}


def _id(name: str) -> Schema:
    place = {"name": name, "in": "query", "required": True}
    return {**place, "schema": _ID, "description": "The id of a document."}


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
    _parameter("since", _DAY, "Only documents whose date is on this day (in UTC) or later."),
    _parameter("until", _DAY, "Only documents whose date is on this day (in UTC) or earlier."),
    _parameter("sort", schema_of(Sort) | {"default": Query().sort}, "Best first, or newest first."),
]


def _answer(schema: str, description: str, **headers: Schema) -> Schema:
    content = {"schema": {"$ref": f"#/components/schemas/{schema}"}}
    sent = {"headers": headers} if headers else {}
    return {"description": description, **sent, "content": {"application/json": content}}


def _header(schema: Schema, description: str) -> Schema:
    return {"schema": schema, "description": description, "required": True}


def _invalid(description: str) -> Schema:
    """An invalid request; what comes before the API says that a name of the server is wrong as plain text."""
    answer = _answer("Error", f"{description}, or, as plain text, the Host is not allowed.")
    return answer | {"content": answer["content"] | {"text/plain": {"schema": _STRING}}}


_ERRORS = {
    "400": _invalid("A parameter is unknown or has an invalid value"),
    "503": _answer("Error", "The engine does not answer now: try again in a moment."),
}
_REFUSALS = {
    "401": _answer(
        "Error",
        "A token of this server is missing.",
        **{"WWW-Authenticate": _header({"const": "Bearer"}, "How to send it.")},
    ),
    "403": _answer("Error", NO_TOKENS),
}


def _get(summary: str, schema: str, parameters: list[Schema] | None = None, **errors: Schema) -> Schema:
    responses = {"200": _answer(schema, "The answer."), **_ERRORS, **errors}
    return {"get": {"summary": summary, "parameters": parameters or [], "responses": responses}}


def _correcting(operation: Schema) -> Schema:
    """An operation for which a token is needed."""
    responses = operation["responses"] | _REFUSALS
    return {**operation, "security": [{"token": []}], "responses": responses}


def _post(summary: str, responses: Schema, **more: Any) -> Schema:
    """An operation that adds an entry to the log of corrections."""
    added = {"201": _answer("Correction", "The new entry of the log."), **_ERRORS, **responses}
    return {"post": _correcting({"summary": summary, "responses": added, **more})}


_TOKEN = {
    "type": "http",
    "scheme": "bearer",
    "description": "A token of the file with which the server was started (`--token-file FILE`).",
}
_NUMBER_IN_PATH = {
    "name": "number",
    "in": "path",
    "required": True,
    "schema": _ENTRY_NUMBER,
    "description": "The number of the entry that no longer counts.",
}
_NEW_CORRECTION = {
    "required": True,
    "description": f"At most {BYTES:,} bytes; read as JSON, whatever Content-Type is sent.",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/NewCorrection"}}},
}
_LIMIT = _parameter("limit", _number(LISTED, SHOWN), "Entries in the answer, the newest ones.")
_CORRECTIONS = {
    "get": _correcting(_get("The log of corrections", "Corrections", [_LIMIT])["get"]),
    **_post(
        "Correct which documents are one story",
        {
            "400": _invalid("It is no correction, or contradicts another one, or a document is not stored"),
            "413": _answer("Error", f"The body has more than {BYTES:,} bytes."),
        },
        requestBody=_NEW_CORRECTION,
    ),
}
_GROUP = {
    "name": "group",
    "in": "path",
    "required": True,
    "schema": _ID,
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
        "/api/corrections": _CORRECTIONS,
        "/api/corrections/{number}/undo": _post(
            "Undo a correction",
            {"400": _invalid("There is no such correction, it was undone already, or it is an undo itself")},
            parameters=[_NUMBER_IN_PATH],
        ),
        "/healthz": _get("Whether the engine answers", "Health"),
    },
    "components": {"schemas": _SCHEMAS, "securitySchemes": {"token": _TOKEN}},
}
