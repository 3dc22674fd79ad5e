"""The JSON API as an OpenAPI document. The schemas of the answers are made from the data types themselves."""

from __future__ import annotations

import inspect
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from importlib.metadata import version
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from dupgroups.engines.base import WINDOW
from dupgroups.flow.correcting import KINDS
from dupgroups.flow.explain.groups import Score
from dupgroups.model import Copy, Correction, Facet, Hit, Period, Query, Relation, Results, SearchMode, Sort
from dupgroups.web.correcting import LISTED, NO_TOKENS, SHOWN
from dupgroups.web.parameters import LONGEST, MOST, PAGE
from dupgroups.web.sessions import BYTES

Schema = dict[str, Any]

_PLAIN: Mapping[Any, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    types.NoneType: {"type": "null"},
}


def schema_of(kind: Any) -> Schema:
    """The schema of a type that occurs in the answers; a data type is referred to by its name.

    >>> schema_of(int | None)
    {'anyOf': [{'type': 'integer'}, {'type': 'null'}]}
    """
    if kind in _PLAIN:
        return _PLAIN[kind]
    if isinstance(kind, type) and is_dataclass(kind):
        return _ref(kind.__name__)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return {"type": "string", "enum": list(arguments)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [schema_of(argument) for argument in arguments]}
    if origin is tuple:
        return {"type": "array", "items": schema_of(arguments[0])}
    if origin is Mapping:
        return {"type": "object", "additionalProperties": schema_of(arguments[1])}
    raise TypeError(f"an answer cannot hold {kind!r}")


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _object(description: str, **properties: Any) -> Schema:
    """The schema of an object with exactly these properties, which are schemas or types."""
    schemas = {name: kind if isinstance(kind, dict) else schema_of(kind) for name, kind in properties.items()}
    return {
        "type": "object",
        "description": description,
        "properties": schemas,
        "required": list(schemas),
        "additionalProperties": False,
    }


def _component(kind: type, description: str = "", **more: Any) -> Schema:
    """The schema of a data type, with more properties, or others in place of its own."""
    hints = get_type_hints(kind)
    own = {field.name: hints[field.name] for field in fields(kind)}
    return _object(description or inspect.getdoc(kind) or "", **own | more)


def _new_correction(kind: str, documents: int) -> Schema:
    """What is sent for a correction of this many documents; other properties are ignored."""
    names = ("a", "b")
    sent = {"kind": {"const": kind}, **dict.fromkeys(names[:documents], _ID)}
    absent = dict.fromkeys(names[documents:], schema_of(types.NoneType))
    return {"type": "object", "properties": sent | absent, "required": list(sent)}


_STRING = schema_of(str)
_ID = _STRING | {"minLength": 1}
_DAY = _STRING | {"format": "date"}
_ENTRY_NUMBER = schema_of(int) | {"minimum": 1, "maximum": 999_999_999}
_SCHEMAS = {
    **{kind.__name__: _component(kind) for kind in (Query, Copy, Facet, Score)},
    "Hit": _component(Hit, sources=tuple[str, ...], more_sites=int),
    "Period": _component(Period, since=_DAY, until=_DAY),
    "Results": _component(Results, query=Query),
    "Member": _component(Copy, "A copy of a story.", first_seen=str | None),
    "Related": _component(
        Copy,
        "A document of another story, and how it relates to `member`.",
        member=str,
        relation=Relation,
        score=float,
        group=str,
    ),
    "Story": _object(
        "The copies of a story, oldest first, each with the time when it was first seen (ISO 8601, UTC).",
        group=str,
        former_names=tuple[str, ...],
        copies={"type": "array", "items": _ref("Member")},
        scores=tuple[Score, ...],
        related={"type": "array", "items": _ref("Related")},
    ),
    "Explanation": {"type": "object", "description": "What `dup-groups explain A B --json` prints."},
    "Correction": _component(
        Correction, number=_ENTRY_NUMBER, ids=schema_of(tuple[str, ...]) | {"minItems": 1, "maxItems": 2}
    ),
    "Corrections": _object(
        "The newest entries of the log, newest first; `all` counts those of the whole log.",
        corrections=tuple[Correction, ...],
        all=int,
    ),
    "NewCorrection": {
        "description": "A correction of the documents with the ids `a` and `b`, or of `a` alone.",
        "oneOf": [_new_correction(kind, documents) for kind, documents in KINDS.items()],
    },
    "Health": _object("The engine answers.", status={"const": "ok"}),
    "Error": _object("One sentence that says what is wrong.", error=str),
}


def _answer(schema: str, description: str) -> Schema:
    return {"description": description, "content": {"application/json": {"schema": _ref(schema)}}}


_ERRORS = {
    400: "A parameter is unknown or has an invalid value.",
    503: "The engine does not answer now: try again in a moment.",
}
_REFUSALS = {401: "A token of this server is missing.", 403: NO_TOKENS}


def _operation(
    summary: str,
    schema: str,
    *parameters: Schema,
    errors: Mapping[int, str] = types.MappingProxyType({}),
    status: int = 200,
    token: bool = False,
    **more: Any,
) -> Schema:
    """An operation whose answer fits a schema; `token`: only for those who may correct."""
    described = _ERRORS | (_REFUSALS if token else {}) | dict(errors)
    responses = {str(status): _answer(schema, "The answer.")}
    responses |= {str(number): _answer("Error", text) for number, text in described.items()}
    secured: Schema = {"security": [{"token": []}]} if token else {}
    return {"summary": summary, "parameters": list(parameters), "responses": responses, **secured, **more}


def _parameter(name: str, schema: Schema, description: str) -> Schema:
    query = {"name": name, "in": "query", "allowEmptyValue": True}  # as good as none
    return {**query, "schema": schema, "description": description}


def _needed(name: str, schema: Schema, description: str, place: str = "path") -> Schema:
    return {"name": name, "in": place, "required": True, "schema": schema, "description": description}


def _number(most: int, default: int) -> Schema:
    return {"type": "integer", "minimum": 0, "maximum": most, "default": default}


_SEARCH = _operation(
    "Search, one hit per story",
    "Results",
    _parameter("q", _STRING | {"maxLength": LONGEST}, "Words that must all occur; without any, everything."),
    _parameter("mode", schema_of(SearchMode) | {"default": Query().mode}, "What is a hit; see the docs."),
    _parameter("limit", _number(MOST, PAGE), "Hits on a page."),
    _parameter("offset", _number(WINDOW, 0), "Hits before the page; not with `cursor`."),
    _parameter("copies", _number(MOST, Query().copies), "Other members of each group, at most."),
    _parameter("language", _STRING, "Only this language, such as en."),
    _parameter("site", _STRING, "Only this site, as hits name it."),
    _parameter("author", _STRING, "Only this author, by the complete name."),
    _parameter("cursor", _STRING, "`cursor` of the page before (modes head and all)."),
    _parameter("any_word", _number(1, 0), "1 finds documents with any of the words."),
    _parameter("since", _DAY, "Only documents whose date is on this day (in UTC) or later."),
    _parameter("until", _DAY, "Only documents whose date is on this day (in UTC) or earlier."),
    _parameter("sort", schema_of(Sort) | {"default": Query().sort}, "Best first, or newest first."),
)
_STORY = _operation(
    "The copies of a story",
    "Story",
    _needed("group", _ID, "The id of a group, or one of its former names."),
    errors={404: "There is no such story."},
)
_EXPLAIN = _operation(
    "Why two documents are one story, or two",
    "Explanation",
    *(_needed(name, _ID, "The id of a document.", "query") for name in "ab"),
    errors={404: "There is no such document."},
)
_LOG = _operation(
    "The log of corrections",
    "Corrections",
    _parameter("limit", _number(LISTED, SHOWN), "Entries in the answer, the newest ones."),
    token=True,
)
_CORRECT = _operation(
    "Correct which documents are one story",
    "Correction",
    errors={
        400: "It is no correction, or contradicts another one, or a document is not stored.",
        413: f"The body has more than {BYTES:,} bytes.",
    },
    status=201,
    token=True,
    requestBody={
        "required": True,
        "description": f"At most {BYTES:,} bytes; read as JSON, whatever Content-Type is sent.",
        "content": {"application/json": {"schema": _ref("NewCorrection")}},
    },
)
_UNDO = _operation(
    "Undo a correction",
    "Correction",
    _needed("number", _ENTRY_NUMBER, "The number of the entry that no longer counts."),
    errors={400: "There is no such correction, it was undone already, or it is an undo itself."},
    status=201,
    token=True,
)

_TOKEN = {"type": "http", "scheme": "bearer", "description": "A token of the file of `--token-file FILE`."}

DESCRIPTION: Schema = {
    "openapi": "3.1.0",
    "info": {
        "title": "dup-groups",
        "version": version("dup-groups"),
        "description": "News stories with their copies, as the search page shows them.",
    },
    "paths": {
        "/api/search": {"get": _SEARCH},
        "/api/groups/{group}": {"get": _STORY},
        "/api/explain": {"get": _EXPLAIN},
        "/api/corrections": {"get": _LOG, "post": _CORRECT},
        "/api/corrections/{number}/undo": {"post": _UNDO},
        "/healthz": {"get": _operation("Whether the engine answers", "Health")},
    },
    "components": {"schemas": _SCHEMAS, "securitySchemes": {"token": _TOKEN}},
}
