"""The engine of a command: that of --engine, else of --config, else of DUPGROUPS_ENGINE, else the default."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupgroups.engines import Engine


def name_of(url: str | None, config: Path | None) -> str:
    """The URL of the engine that the options name, without secrets."""
    from dupgroups.engines import engine_url

    return str(engine_url(_url(url, config)))


def existing(url: str | None, config: Path | None) -> Engine:
    """Open the engine that the options name, without creating it. MissingIndexError if there is none."""
    from dupgroups.engines import open_engine

    return open_engine(_url(url, config), must_exist=True)


def _url(url: str | None, config: Path | None) -> str | None:
    from dupgroups.config import from_toml

    return url or (from_toml(config).engine if config else None)
