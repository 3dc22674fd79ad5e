"""Where documents are stored and looked up: one table of engines, one function that opens them."""

from __future__ import annotations

import os
from dataclasses import replace

from dupgroups.engines.base import Engine, Store
from dupgroups.engines.url import EngineURL
from dupgroups.registry import load, lookup

ENGINES: dict[str, str] = {
    # "module:Class", so that the core imports neither a cluster client nor its own plug-in
    "memory": "dupgroups.engines.memory:MemoryEngine",
    "sqlite": "dupgroups.engines.sqlite:SQLiteEngine",
    "opensearch": "dupgroups_es.opensearch:OpenSearchEngine",
    "elasticsearch": "dupgroups_es.elasticsearch:ElasticsearchEngine",
}

DEFAULT_ENGINE = "sqlite:///dup-groups.db"


def engine_url(url: str | None = None) -> EngineURL:
    """The URL that `open_engine` opens. Raises ConfigError for one that makes no sense."""
    return EngineURL.parse(url or os.environ.get("DUPGROUPS_ENGINE") or DEFAULT_ENGINE)


def open_engine(url: str | None = None, *, must_exist: bool = False) -> Engine:
    """Open the engine that a URL names; without one, DUPGROUPS_ENGINE, then sqlite:///dup-groups.db.

    With `must_exist` nothing is made that is not there yet: who only reads wants to hear of a mistyped name.
    Raises ConfigError for a URL that makes no sense or names nothing, MissingExtraError when its client is
    not installed, EngineError when it cannot be reached.
    """
    parsed = engine_url(url)
    engine: Engine = load(lookup("engine", parsed.kind, ENGINES))(replace(parsed, must_exist=must_exist))
    return engine


__all__ = ["DEFAULT_ENGINE", "ENGINES", "Engine", "EngineURL", "Store", "engine_url", "open_engine"]
