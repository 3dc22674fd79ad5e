"""The engine of a command: that of --engine, else of --config, else of DUPGROUPS_ENGINE, else the default."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupgroups.engines import Engine


def existing(url: str | None, config: Path | None) -> Engine:
    """Open the engine that the options name, without creating it. Raises ConfigError if there is none."""
    from dupgroups.config import from_toml
    from dupgroups.engines import open_engine

    if config:
        url = url or from_toml(config).engine
    return open_engine(url, must_exist=True)
