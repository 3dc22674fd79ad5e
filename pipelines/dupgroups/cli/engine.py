"""The engine of a command: that of --engine, else of --config, else of DUPGROUPS_ENGINE, else the default."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupgroups.engines import Engine
    from dupgroups.engines.foreign import Fields


def name_of(url: str | None, config: Path | None) -> str:
    """The URL of the engine that the options name, without secrets."""
    from dupgroups.engines import engine_url

    return str(engine_url(url_of(url, config)))


def existing(url: str | None, config: Path | None) -> Engine:
    """Open the engine that the options name, without creating it. MissingIndexError if there is none."""
    from dupgroups.engines import open_engine

    return open_engine(url_of(url, config), must_exist=True)


def fields_of(engine: Engine, names: str | None) -> Fields | None:
    """The field map of an index that other tools filled: what it keeps, or else the default, with the `names`
    of --fields. None if none are given. Raises ConfigError (see `Fields.renamed`).
    """
    from dupgroups.engines.foreign import Fields
    from dupgroups.engines.parts import Adopting

    kept = engine.kept_fields() if isinstance(engine, Adopting) else None
    return (kept or Fields()).renamed(names) if names else None


def url_of(url: str | None, config: Path | None) -> str | None:
    """The URL that the options name; None if they leave it to the environment."""
    from dupgroups.config import from_toml

    return url or (from_toml(config).engine if config else None)
