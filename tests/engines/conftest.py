"""The contract of engines is held to both products; of the flow's promises one server is enough."""

from pathlib import Path

import pytest

from engines.stores import stored_in
from es_plugin.clusters import OLDER


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a SQLite file may be."""
    return tmp_path / "news.db"


engine_url = stored_in(later=OLDER)
