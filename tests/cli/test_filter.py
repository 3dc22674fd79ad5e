"""The command `filter`: its mistakes. tests/filtering has what it does."""

from __future__ import annotations

import sys

from commands import error

URL = "opensearch://127.0.0.1:1/articles?retries=0"


def test_mistakes_are_sentences():
    said = error("filter", "--engine", URL, "--listen", "localhost:http")
    assert "write HOST:PORT, such as 127.0.0.1:9201" in said
    assert "only an index of OpenSearch or Elasticsearch" in error("filter", "--engine", "sqlite:///news.db")


def test_a_missing_extra(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("dupgroups_filter.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "aiohttp", None)
    assert "pip install 'dup-groups[filter]'" in error("filter", "--engine", URL)
