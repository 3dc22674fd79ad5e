"""Where documents are stored and looked up: a table of engines, and a function that opens them."""

from __future__ import annotations

import os
from dataclasses import replace

from dupgroups.engines.base import Engine, Store
from dupgroups.engines.url import EngineURL
from dupgroups.methods.registry import load, lookup

ENGINES: dict[str, str] = {
    # "module:what opens it", so that this package imports neither a cluster client nor its plug-in
    "memory": "dupgroups.engines.sqlite:SQLiteEngine",
    "sqlite": "dupgroups.engines.sqlite:SQLiteEngine",
    "opensearch": "dupgroups_es.opensearch:open_index",
    "elasticsearch": "dupgroups_es.elasticsearch:open_index",
}

DEFAULT_ENGINE = "sqlite:///dup-groups.db"


def engine_url(url: str | None = None) -> EngineURL:
    """The URL that `open_engine` opens. Raises ConfigError for an invalid one."""
    return EngineURL.parse(url or os.environ.get("DUPGROUPS_ENGINE") or DEFAULT_ENGINE)


def open_engine(url: str | EngineURL | None = None, *, must_exist: bool = False) -> Engine:
    """Open the engine that a URL names; None opens DUPGROUPS_ENGINE, or else sqlite:///dup-groups.db.

    With `must_exist` no file and no index is created: a mistyped name is an error when only reading. Raises
    ConfigError for an invalid URL, MissingIndexError (a ConfigError) for a missing file or index,
    MissingExtraError if the client is not installed, EngineError if the engine cannot be reached.
    """
    parsed = url if isinstance(url, EngineURL) else engine_url(url)
    engine: Engine = load(lookup("engine", parsed.kind, ENGINES))(replace(parsed, must_exist=must_exist))
    return engine


__all__ = ["DEFAULT_ENGINE", "ENGINES", "Engine", "EngineURL", "Store", "engine_url", "open_engine"]
