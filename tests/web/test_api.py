"""The JSON API is what its OpenAPI document says, whatever it is asked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import fields
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, assume, given, settings
from jsonschema import Draft202012Validator
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.routing import Route

from browser.serving import Site, serving, serving_documents
from browser.stories import stories
from dupgroups import Deduper, Page
from dupgroups.engines import open_engine
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.model import Query
from dupgroups.web.app import create_app
from dupgroups.web.openapi import DESCRIPTION

TOKEN = "a-token-of-ann-0123"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
CHECKS = [
    schemathesis.checks.not_a_server_error,
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
]
OPERATIONS = [(method.upper(), path) for path, methods in DESCRIPTION["paths"].items() for method in methods]
CORRECTING = [(method, path) for method, path in OPERATIONS if path.startswith("/api/corrections")]
DESCRIBED = schemathesis.openapi.from_dict(DESCRIPTION)


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with serving_documents(stories()) as site:
        yield site


@pytest.fixture
def correctable() -> Iterator[Site]:
    """Takes corrections, of which one is in its log, and as many as are allowed in a minute."""
    with closing(SQLiteEngine()) as engine:
        Deduper(engine).add_all([Page(id=name, text=f"Text {name}.") for name in "ab"])
        Deduper(engine).correct("keep-together", "a", "b", by="bob")
        with serving(engine, tokens={"ann": TOKEN}) as site:
            yield site


def ask(site: Site, method: str, path: str, mode: GenerationMode, **sent: Any) -> None:
    """Send some requests of an operation, and compare the answers with the description."""
    operation = DESCRIBED[path][method]

    @settings(max_examples=20, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=mode))
    def check(case: schemathesis.Case) -> None:
        assume("" not in case.query.values())  # an empty value is as good as none
        case.call_and_validate(base_url=site.url, checks=CHECKS, **sent)

    check()


@pytest.mark.parametrize(
    ("method", "path", "mode"),
    [
        *((*operation, GenerationMode.POSITIVE) for operation in OPERATIONS),
        ("GET", "/api/search", GenerationMode.NEGATIVE),  # the others take no parameter that could be wrong
    ],
)
def test_no_request_is_answered_otherwise_than_described(
    method: str, path: str, mode: GenerationMode, site: Site
) -> None:
    """The site has no tokens: it takes no corrections."""
    ask(site, method, path, mode)


@pytest.mark.parametrize(
    ("method", "path", "mode"),
    [
        *((*operation, GenerationMode.POSITIVE) for operation in CORRECTING),
        ("POST", "/api/corrections", GenerationMode.NEGATIVE),
    ],
)
def test_no_correction_is_answered_otherwise_than_described(
    method: str, path: str, mode: GenerationMode, correctable: Site
) -> None:
    ask(correctable, method, path, mode, headers=BEARER)
    ask(correctable, method, path, mode)


@pytest.mark.parametrize(
    ("path", "schema"),
    [
        ("/api/search?q=ferry&copies=2&mode=head&limit=1", "Results"),
        ("/api/search?mode=none", "Error"),
        ("/api/groups/nosuch", "Error"),
        ("/healthz", "Health"),
    ],
)
def test_an_answer_fits_its_schema(path: str, schema: str, site: Site) -> None:
    """Made requests need not find anything."""
    answer = site.get(path).json
    _validator(schema).validate(answer)
    assert not _validator(schema).is_valid(answer | {"unknown": 1})


def test_a_story_fits_its_schema(site: Site) -> None:
    [hit, *_] = site.get("/api/search?q=ferry").json["hits"]
    _validator("Story").validate(site.get(f"/api/groups/{hit['group']}").json)
    a, b = hit["shown"]["id"], hit["copies"][0]["id"]
    _validator("Explanation").validate(site.get(f"/api/explain?a={a}&b={b}").json)


def test_corrections_fit_their_schemas(correctable: Site) -> None:
    sent = {"kind": "head", "a": "b", "b": None}
    _validator("NewCorrection").validate(sent)
    made = correctable.get("/api/corrections", BEARER, method="POST", body=json.dumps(sent).encode())
    undone = correctable.get("/api/corrections/1/undo", BEARER, method="POST")
    for answer in (made, undone):
        assert answer.status == 201
        _validator("Correction").validate(answer.json)
        assert not _validator("Correction").is_valid(answer.json | {"unknown": 1})
    listed = correctable.get("/api/corrections?limit=2", BEARER).json
    _validator("Corrections").validate(listed)
    assert [entry["number"] for entry in listed["corrections"]] == [3, 2]


def _validator(schema: str) -> Draft202012Validator:
    return Draft202012Validator({**DESCRIPTION, "$ref": f"#/components/schemas/{schema}"})


def test_the_document_names_every_route_and_parameter() -> None:
    with closing(open_engine("memory://")) as engine:
        routes = {route.path for route in create_app(engine).routes if isinstance(route, Route)}
    api = {path.replace(":path}", "}") for path in routes if path.startswith(("/api/", "/healthz"))}
    assert api - {"/api/openapi.json"} == set(DESCRIPTION["paths"])
    parameters = {one["name"] for one in DESCRIPTION["paths"]["/api/search"]["get"]["parameters"]}
    assert parameters == {"q" if field.name == "text" else field.name for field in fields(Query)}
