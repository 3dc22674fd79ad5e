"""The JSON API is what its OpenAPI document says, whatever it is asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import fields

import pytest
import schemathesis
from hypothesis import HealthCheck, assume, given, settings
from jsonschema import Draft202012Validator
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.routing import Route

from browser.serving import Site, serving
from browser.stories import stories
from dupgroups.engines import open_engine
from dupgroups.model import Query
from dupgroups.web.app import create_app
from dupgroups.web.openapi import DESCRIPTION

CHECKS = [
    schemathesis.checks.not_a_server_error,
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
]
DESCRIBED = schemathesis.openapi.from_dict(DESCRIPTION)


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with closing(open_engine("memory://")) as engine:
        engine.put(stories())
        with serving(engine) as site:
            yield site


@pytest.mark.parametrize(
    ("path", "mode"),
    [
        *((path, GenerationMode.POSITIVE) for path in DESCRIPTION["paths"]),
        ("/api/search", GenerationMode.NEGATIVE),  # the others take no parameter that could be wrong
    ],
)
def test_no_request_is_answered_otherwise_than_described(path: str, mode: GenerationMode, site: Site) -> None:
    operation = DESCRIBED[path]["GET"]

    @settings(max_examples=20, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=mode))
    def check(case: schemathesis.Case) -> None:
        assume("" not in case.query.values())  # an empty value is as good as none
        case.call_and_validate(base_url=site.url, checks=CHECKS)

    check()


@pytest.mark.parametrize(
    ("path", "schema"),
    [
        ("/api/search", "Results"),
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


def _validator(schema: str) -> Draft202012Validator:
    return Draft202012Validator({**DESCRIPTION, "$ref": f"#/components/schemas/{schema}"})


def test_the_document_names_every_route_and_parameter() -> None:
    with closing(open_engine("memory://")) as engine:
        routes = {route.path for route in create_app(engine).routes if isinstance(route, Route)}
    api = {path.replace(":path}", "}") for path in routes if path.startswith(("/api/", "/healthz"))}
    assert api - {"/api/openapi.json"} == set(DESCRIPTION["paths"])
    parameters = {one["name"] for one in DESCRIPTION["paths"]["/api/search"]["get"]["parameters"]}
    assert parameters == {"q" if field.name == "text" else field.name for field in fields(Query)}
