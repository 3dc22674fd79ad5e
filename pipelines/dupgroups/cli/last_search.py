"""The documents that a command is given: by id, by URL, or by their numbers in the last `search`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import typer

from dupgroups.cli.files import written
from dupgroups.engines import Engine
from dupgroups.errors import InputError
from dupgroups.flow.document_names import named_id

NAMED = "number in the last search, URL, id, or the beginning of an id"  # what `document_id` takes

_NUMBER = re.compile(r"[0-9]{1,5}(\.[0-9]{1,3})?")  # of a hit, of a copy of it


def remember(engine: Engine, ids: Mapping[str, str]) -> None:
    """Keep the numbers that a search printed in the user's folder of settings, if that can be written."""
    with suppress(OSError, InputError):
        _file().parent.mkdir(parents=True, exist_ok=True)
        _file().unlink(missing_ok=True)
        with written(_file()) as out:
            json.dump({_place(engine): ids}, out)


def document_id(engine: Engine, name: str) -> str:
    """The id of the document that is meant; see `named_id`. An id comes first, then a number.

    Raises InputError for a number that the last search did not print.
    """
    if not _NUMBER.fullmatch(name) or engine.get([name]):
        return named_id(engine, name)
    last: dict[str, dict[str, str]] = {}
    with suppress(OSError, ValueError):
        last = json.loads(_file().read_text(encoding="utf-8"))
    if id_ := last.get(_place(engine), {}).get(name):
        return id_
    raise InputError(f"the last search here has no number {name}: search {engine.name} again, or give an id")


def _place(engine: Engine) -> str:
    return f"{engine.name} in {Path.cwd()}"  # the name of a file may be relative


def _file() -> Path:
    return Path(typer.get_app_dir("dup-groups")) / "last-search.json"
