"""Which stores a test runs on, each empty at its beginning and gone after it."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from es_plugin.clusters import ALL, ask, index_of, marks


def stores(later: list[str]) -> list[Any]:
    """Parameters of a fixture: all stores, of which `later` are for `make test-all`."""
    return ["sqlite", *(pytest.param(name, marks=marks(name, later)) for name in ALL)]


def empty_store(request: pytest.FixtureRequest, folder: Path) -> Iterator[str]:
    """The URL of an empty store of the kind that the request names."""
    kind = request.param
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'test.db'}"
    else:
        server = request.getfixturevalue("server_pool").get(kind)
        host = server.url.removeprefix("http://")
        engine_url = f"{server.distribution}://{host}/test-{secrets.token_hex(6)}"
        yield engine_url
        _delete_indices(engine_url)


def _delete_indices(engine_url: str) -> None:
    """The index and all that begin with its name or are kept beside it; servers refuse to delete patterns."""
    index = index_of(engine_url)
    path = f"/{index}*,dup-groups-{index}*/_settings?expand_wildcards=all"
    for name in ask(engine_url, "GET", path):
        if not name.startswith(".ds-"):  # these go with their data stream
            ask(engine_url, "DELETE", f"/{name}")
