"""The command `filter`: its mistakes. tests/filtering has what it does."""

from __future__ import annotations

import socket
import sys

import pytest

from commands import error

URL = "opensearch://127.0.0.1:1/articles?retries=0"


@pytest.mark.parametrize("listen", ["9201", "localhost:http", "127.0.0.1:99999"])
def test_an_address_that_is_none(listen):
    assert "write HOST:PORT, such as 127.0.0.1:9201" in error("filter", "--engine", URL, "--listen", listen)


def test_an_engine_that_is_no_cluster():
    assert "only an index of OpenSearch or Elasticsearch" in error("filter", "--engine", "sqlite:///news.db")


def test_a_port_that_is_taken():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert "choose another --listen" in error(
            "filter", "--engine", URL, "--listen", f"127.0.0.1:{taken.getsockname()[1]}"
        )


def test_a_missing_extra(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("dupgroups_filter.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "aiohttp", None)
    assert "pip install 'dup-groups[filter]'" in error("filter", "--engine", URL)
