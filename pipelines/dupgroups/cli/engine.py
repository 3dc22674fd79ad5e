"""The engine of a command: that of --engine, else of --config, else of DUPGROUPS_ENGINE, else the default."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from dupgroups.cli.files import files_of_engine
from dupgroups.cli.output import stderr
from dupgroups.engines import Engine, engine_url, open_engine
from dupgroups.engines.base import AdoptableEngine
from dupgroups.model import Query
from dupgroups.model.config import Config, from_toml
from dupgroups.model.field_names import Fields

if TYPE_CHECKING:
    from dupgroups.flow.deduper import Deduper


def settings_of(file: Path | None) -> Config:
    """The configuration in the file of --config; the default one without a file. Raises ConfigError."""
    return from_toml(file) if file else Config()


def url_of(url: str | None, config: Path | None) -> str | None:
    """The URL that the options name; None if they leave it to the environment."""
    configured = settings_of(config).engine  # read in any case: a wrong setting is an error
    return url or configured


def name_of(url: str | None, config: Path | None) -> str:
    """The URL of the engine that the options name, without secrets."""
    return str(engine_url(url_of(url, config)))


def existing(url: str | None, config: Path | None) -> Engine:
    """Open the engine that the options name, without creating it. MissingIndexError if there is none."""
    return open_engine(url_of(url, config), must_exist=True)


@contextmanager
def existing_deduper(url: str | None, config: Path | None) -> Iterator[tuple[Engine, Deduper]]:
    """The engine of `existing`, closed at the end, and a deduper that changes its groups."""
    from dupgroups.flow.deduper import Deduper

    with closing(existing(url, config)) as engine:
        yield engine, Deduper(engine, settings_of(config))


def count(engine: Engine) -> int:
    """The number of documents of an engine."""
    return engine.search(Query(mode="all", limit=0)).documents


def fields_of(engine: Engine, names: str | None) -> Fields | None:
    """The field map of an index that other tools filled: what it keeps, or else the default, with the `names`
    of --fields. None if none are given. Raises ConfigError (see `Fields.with_names`).
    """
    kept = engine.kept_fields() if isinstance(engine, AdoptableEngine) else None
    return (kept or Fields()).with_names(names) if names else None


def remove_made(engine: Engine, url: str | None, *, yes: bool) -> bool:
    """Say what dup-groups has made for an engine, ask unless `yes`, and delete it: whether all is gone. Of an
    index of other tools that is what is kept beside it.

    If nobody can be asked, because the input is not a terminal, it is kept.
    """
    files: list[Path] = []
    if isinstance(engine, AdoptableEngine):
        made = dict(engine.made_indices())
    else:
        files = [file for file in files_of_engine(url) if file.exists()]
        made = dict.fromkeys(map(str, files), "a file with documents, groups and corrections")
    for name, what in made.items():
        stderr().print(f"{name}: {what}")
    if isinstance(engine, AdoptableEngine) and engine.kept_fields():
        stderr().print("documents keep their dup_ fields: `dup-groups backfill --undo` first takes them out")
    if made and not yes and not (sys.stdin.isatty() and typer.confirm("Delete them?", err=True)):
        stderr().print("kept: `dup-groups doctor --remove --yes` deletes them")
        return False
    if isinstance(engine, AdoptableEngine):
        engine.remove_made_indices()
    engine.close()
    for file in files:
        file.unlink(missing_ok=True)
    for name in made:
        stderr().print(f"deleted {name}")
    return True
