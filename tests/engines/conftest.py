"""The contract of engines is held to both products; of the flow's promises one server is enough."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engines.stores import empty_store, stores
from es_plugin.clusters import OLDER


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a SQLite file may be."""
    return tmp_path / "news.db"


@pytest.fixture(params=stores(later=OLDER))
def engine_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an empty store of each kind; what it held is gone afterwards."""
    yield from empty_store(request, tmp_path)
