"""The documents that a command is given: by id, by URL, or by their numbers in the last `search`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import typer

from dupgroups.cli.files import files_of_engine, written
from dupgroups.engines import Engine
from dupgroups.errors import InputError
from dupgroups.flow.document_names import named_id

NAMED = "number in the last search, URL, id, or the beginning of an id"  # what `document_id` takes

_NUMBER = re.compile(r"[0-9]{1,5}(\.[0-9]{1,3})?")  # of a hit, of a copy of it


def remember(engine: Engine, ids: Mapping[str, str]) -> None:
    """Keep the numbers of a search that was printed, with their ids, in the user's folder of settings; where
    that cannot be written, there are none.
    """
    with suppress(OSError, InputError):
        file = _file()
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        with written(file) as out:
            json.dump({"engine": _place(engine), "ids": ids}, out)


def document_id(engine: Engine, name: str) -> str:
    """The id of the document that is meant; see `named_id`. An id comes first, then a number.

    Raises InputError for a number that the last search did not print.
    """
    if not _NUMBER.fullmatch(name) or engine.get([name]):
        return named_id(engine, name)
    try:
        last = json.loads(_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        last = {}
    ids = last["ids"] if last.get("engine") == _place(engine) else {}
    if name not in ids:
        raise InputError(
            f"the last search of {engine.name} has no number {name}: search again, or give an id"
        )
    return str(ids[name])


def _place(engine: Engine) -> str:
    """What tells two stores apart, in whatever folder a command runs."""
    files = files_of_engine(engine.name)
    return str(files[0].resolve()) if files else engine.name


def _file() -> Path:
    return Path(typer.get_app_dir("dup-groups")) / "last-search.json"
