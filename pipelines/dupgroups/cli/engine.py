"""Which engine a command takes: --engine, then that of --config, then DUPGROUPS_ENGINE, then the default."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from dupgroups.engines import Engine

EngineOption = Annotated[
    str | None,
    typer.Option(
        "--engine",
        help="Engine URL; else `engine` of --config, DUPGROUPS_ENGINE, sqlite:///dup-groups.db.",
        metavar="URL",
    ),
]
ConfigOption = Annotated[
    Path | None, typer.Option("--config", help="TOML file that names the engine.", metavar="FILE.toml")
]


def existing(url: str | None, config: Path | None) -> Engine:
    """The engine that the options name. Raises ConfigError when there is none yet: nothing is made."""
    from dupgroups.config import from_toml
    from dupgroups.engines import open_engine

    if config:
        url = url or from_toml(config).engine
    return open_engine(url, must_exist=True)
