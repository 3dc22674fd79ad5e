"""Fixtures shared by all tests: one engine per kind of store, and the servers behind some of them."""

from __future__ import annotations

import json
import logging
import secrets
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import Phase, settings

from dupgroups.engines import Engine, open_engine

if TYPE_CHECKING:
    from servers import Pool

SERVERS = ["opensearch-2.19", "opensearch-3", "elasticsearch-8.19", "elasticsearch-9"]
ENGINES = ["memory", "sqlite", *(pytest.param(server, marks=pytest.mark.server) for server in SERVERS)]

# how long an example takes depends on what else the machine does, and on what it loads first
settings.register_profile("dup-groups", deadline=None)
# who only asks whether a test fails needs no smallest example
settings.register_profile("mutants", deadline=None, phases=[Phase.explicit, Phase.generate], database=None)
settings.load_profile("dup-groups")

# loopback is never asked through a proxy
_http = urllib.request.build_opener(urllib.request.ProxyHandler({})).open


@pytest.fixture(autouse=True)
def _logging_as_it_was() -> Iterator[None]:
    """A command that runs in this process sets the level of all loggers, and prints what they say."""
    root = logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    yield
    root.setLevel(level)
    for handler in set(root.handlers) - set(handlers):
        root.removeHandler(handler)


@pytest.fixture(scope="session")
def server_pool() -> Iterator[Pool]:
    """The servers of this session: each started when a test first asks for it."""
    from servers import Pool

    with Pool() as pool:
        yield pool


@pytest.fixture(params=ENGINES)
def engine_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an empty store of each kind; what it held is gone afterwards."""
    kind = request.param
    if kind == "memory":
        yield "memory://"
    elif kind == "sqlite":
        yield f"sqlite:///{tmp_path / 'test.db'}"
    else:
        server = request.getfixturevalue("server_pool").get(kind)
        index = f"test-{secrets.token_hex(6)}"
        yield f"{server.distribution}://{server.url.removeprefix('http://')}/{index}"
        _delete_indices(server.url, index)


@pytest.fixture
def engine(engine_url: str) -> Iterator[Engine]:
    """An empty engine of each kind."""
    with closing(open_engine(engine_url)) as opened:
        yield opened


def _delete_indices(server: str, prefix: str) -> None:
    """Every index whose name begins so; by name, for servers refuse to delete by pattern."""
    with _http(f"{server}/{prefix}*/_settings?expand_wildcards=all") as answer:
        names = list(json.load(answer))
    for name in names:
        with _http(urllib.request.Request(f"{server}/{name}", method="DELETE")):
            pass


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes are no name for a test: they may be long, and those of gzip hold the time."""
    return argname if isinstance(val, bytes) and len(val) > 40 else None
