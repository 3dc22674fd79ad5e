"""A server that is busy in the middle of a crawl: what it did not store comes back by one replay."""

from __future__ import annotations

import pytest

from es_plugin.clusters import ALL_BUT_ONE, ONE_OF_EACH, servers
from faults import outage

SECONDS = 3.0  # that a server is busy; `make soak` has it busy for a minute


@servers(ONE_OF_EACH, later=ALL_BUT_ONE)
@pytest.mark.parametrize(
    ("patience", "status"), [("", 429), ("retries=0", 503)], ids=["patient", "impatient"]
)
def test_a_server_that_is_busy_for_a_while(engine_url: str, status: int, patience: str) -> None:
    buried, wrong = outage.run(engine_url, 1, status, SECONDS, patience)
    assert wrong == []
    assert bool(buried) == bool(patience)
