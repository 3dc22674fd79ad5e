"""Which servers a test runs on, and how to speak to one without any client of ours."""

import json
import urllib.request
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import pytest

from dupgroups.engines.url import EngineURL
from processes import ask_loopback

ALL = ["opensearch-2.19", "opensearch-3", "elasticsearch-8.19", "elasticsearch-9"]
OLDER = ["opensearch-2.19", "elasticsearch-8.19"]
ONE = ["opensearch-3"]  # where only the transport matters, which both clients share
ONE_OF_EACH = ["opensearch-3", "elasticsearch-9"]  # where the client matters and not the server's version
ALL_BUT_ONE = [name for name in ALL if name not in ONE]  # these only run the contract in `make test`


def servers(names: list[str]) -> pytest.MarkDecorator:
    """Run a test on these servers. Its `engine_url` names an index that is not there yet."""
    params = [pytest.param(name, marks=marks(name)) for name in names]
    return pytest.mark.parametrize("engine_url", params, indirect=True)


def marks(name: str, later: list[str] = ALL_BUT_ONE) -> list[pytest.MarkDecorator]:
    """What tests on this server are selected by; those in `later` are for `make test-all`."""
    return [pytest.mark.server, pytest.mark.slow] if name in later else [pytest.mark.server]


def seeds(now: int, later: int) -> pytest.MarkDecorator:
    """Run a test of chance with so many seeds, if any, and with some more in `make test-all`."""
    more = [pytest.param(seed, marks=pytest.mark.slow) for seed in range(now, now + later)]
    return pytest.mark.parametrize("seed", [*range(now), *more])


def address(engine_url: str) -> str:
    """The http URL of the server behind an engine's URL."""
    url = EngineURL.parse(engine_url, {})
    return f"http://{url.host}:{url.port}"


def index_of(engine_url: str) -> str:
    """The name of the index in an engine's URL."""
    return EngineURL.parse(engine_url, {}).path


def ask(engine_url: str, method: str, path: str, body: Any = None) -> Any:
    """Speak to the server without any client of ours; a body that is a string is sent as it is."""
    text = body if isinstance(body, str) else json.dumps(body)
    data = None if body is None else text.encode()
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{address(engine_url)}{path}", data, headers, method=method)
    with ask_loopback(request) as answer:
        return json.load(answer)


def fill(
    engine_url: str, documents: Mapping[str, Any], mapping: Mapping[str, Any] | None = None, **settings: Any
) -> None:
    """Write documents as another tool does, into a new index if a mapping is given."""
    index = index_of(engine_url)
    if mapping is not None:
        ask(engine_url, "PUT", f"/{index}", {"settings": settings, "mappings": mapping})
    for id_, source in documents.items():
        ask(engine_url, "PUT", f"/{index}/_doc/{id_}", source)
    ask(engine_url, "POST", f"/{index}/_refresh")


def everything(engine_url: str, index: str = "") -> dict[str, dict[str, Any]]:
    """All hits of the index, or of another one, by id: with source, routing and version of each."""
    index = index or index_of(engine_url)
    ask(engine_url, "POST", f"/{index}/_refresh")
    body = {"size": 10_000, "version": True, "seq_no_primary_term": True}
    return {hit["_id"]: hit for hit in ask(engine_url, "POST", f"/{index}/_search", body)["hits"]["hits"]}


def stored(engine_url: str, id_: str) -> dict[str, Any]:
    """The source of a document, whatever the index shows yet."""
    source: dict[str, Any] = ask(engine_url, "GET", f"/{index_of(engine_url)}/_doc/{id_}")["_source"]
    return source


def mapping_of(engine_url: str) -> dict[str, Any]:
    """The mapping of the index."""
    ((_, answer),) = ask(engine_url, "GET", f"/{index_of(engine_url)}/_mapping").items()
    mapping: dict[str, Any] = answer["mappings"]
    return mapping


# -- groups


def partition(groups: Mapping[str, str | None]) -> set[frozenset[str]]:
    """Which documents stand together, whatever their groups are called."""
    members = defaultdict(set)
    for id_, name in groups.items():
        members[name].add(id_)
    return {frozenset(ids) for ids in members.values()}
