"""Which stores a test runs on, each empty at its beginning and gone after it."""

from __future__ import annotations

import json
import secrets
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from es_plugin.clusters import ALL, marks

# loopback is never asked through a proxy
_http = urllib.request.build_opener(urllib.request.ProxyHandler({})).open


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
        index = f"test-{secrets.token_hex(6)}"
        yield f"{server.distribution}://{server.url.removeprefix('http://')}/{index}"
        _delete_indices(server.url, index)


def _delete_indices(server: str, prefix: str) -> None:
    """Every index whose name begins so, and what is kept beside it; by name, for servers refuse patterns."""
    with _http(f"{server}/{prefix}*,dup-groups-{prefix}*/_settings?expand_wildcards=all") as answer:
        found = list(json.load(answer))
    names = [name for name in found if not name.startswith(".ds-")]  # they go with their data stream
    for name in names:
        with _http(urllib.request.Request(f"{server}/{name}", method="DELETE")):
            pass
