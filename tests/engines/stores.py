"""Which stores a test runs on, each empty at its beginning and gone after it."""

import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dupgroups_es.base import ClusterEngine
from dupgroups_es.mapping import index_body
from es_plugin.clusters import ALL, ONE_OF_EACH, ask, index_of, marks

ROLLED = "-rolled"  # an alias that gets another index after each write, as the fastest rollover could


def stores(later: list[str]) -> list[Any]:
    """Parameters of a fixture: all stores, of which `later` are for `make test-all`."""
    rolled = [pytest.param(name + ROLLED, marks=marks(name, ONE_OF_EACH)) for name in ONE_OF_EACH]
    return ["sqlite", *(pytest.param(name, marks=marks(name, later)) for name in ALL), *rolled]


def stored_in(later: list[str] = ALL) -> Any:
    """A fixture with the URL of an empty store of each kind, those in `later` for `make test-all`."""

    @pytest.fixture(params=stores(later))
    def engine_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
        yield from _empty_store(request, tmp_path)

    return engine_url


def _empty_store(request: pytest.FixtureRequest, folder: Path) -> Iterator[str]:
    kind = request.param
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'test.db'}"
    else:
        server = request.getfixturevalue("server_pool").get(kind.removesuffix(ROLLED))
        host = server.url.removeprefix("http://")
        engine_url = f"{server.distribution}://{host}/test-{secrets.token_hex(6)}"
        if kind.endswith(ROLLED):
            _roll_over_always(request.getfixturevalue("monkeypatch"), engine_url)
        yield engine_url
        _delete_indices(engine_url)


def roll_over(engine_url: str) -> None:
    """Give the alias of an index of ours another index, which new documents go to."""
    path = f"/{index_of(engine_url)}/_rollover"
    ask(engine_url, "POST", path, index_body(refresh_interval="600s"))


def _roll_over_always(monkeypatch: pytest.MonkeyPatch, engine_url: str) -> None:
    """After each write of this process."""
    for name in ("put", "delete", "touch"):
        write = getattr(ClusterEngine, name)

        def write_and_roll_over(self: ClusterEngine, *args: Any, write: Any = write, **options: Any) -> None:
            try:
                write(self, *args, **options)
            finally:
                if self.cluster.index(index_of(engine_url)):
                    roll_over(engine_url)

        monkeypatch.setattr(ClusterEngine, name, write_and_roll_over)


def _delete_indices(engine_url: str) -> None:
    """The index and all that begin with its name or are kept beside it; servers refuse to delete patterns."""
    index = index_of(engine_url)
    path = f"/{index}*,dup-groups-{index}*/_settings?expand_wildcards=all"
    for name in ask(engine_url, "GET", path):
        if not name.startswith(".ds-"):  # these go with their data stream
            ask(engine_url, "DELETE", f"/{name}")
