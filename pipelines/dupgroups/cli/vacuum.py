"""`dup-groups vacuum`: give the space that a SQLite file no longer needs back to the disk."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.cli.console import app
from dupgroups.cli.options import JsonOption
from dupgroups.cli.output import print_json, stdout
from dupgroups.cli.progress import bar
from dupgroups.errors import InputError

if TYPE_CHECKING:
    from dupgroups.engines.url import EngineURL


@app.command("vacuum")
def vacuum(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A SQLite file that a crawl has written, or its engine URL.")
    ],
    as_json: JsonOption = False,
) -> None:
    """Make a SQLite file smaller: after deletions, and once after an upgrade from an earlier version.

    Prints its bytes before and after. Groups and documents stay as they are. It needs free space for a second
    copy of the file while it runs. Safe to interrupt and to repeat. Stop crawls first: the file is locked for
    as long as it takes to write it, and a crawl waits ten seconds before its pages become dead letters; if a
    writer keeps the file locked, the command stops with a sentence that says so. Example:

        dup-groups vacuum news.db
    """
    from dupgroups.engines.sqlite_connection import SQLiteConnection
    from dupgroups.engines.sqlite_files import size_of
    from dupgroups.engines.sqlite_vacuum import compact, old_documents

    url = _url(file)
    path = Path(url.path)
    before = size_of(path)
    with (
        closing(SQLiteConnection(url)) as connection,
        bar("writing", old_documents(connection)) as advance,
    ):
        compact(connection, advance)
    after = size_of(path)
    if as_json:
        print_json({"before": before, "after": after})
    else:
        stdout().print(f"{path}: {before:,} bytes before, {after:,} after", soft_wrap=True)


def _url(file: str) -> EngineURL:
    """The engine of a file that is named by its path or its URL, whose `timeout` counts then."""
    from dupgroups.engines.url import EngineURL

    if "://" not in file:
        return EngineURL("sqlite", file, must_exist=True)
    url = EngineURL.parse(file)
    if url.kind != "sqlite":
        raise InputError(f"{file} is not a SQLite file: a server keeps its indices small by itself")
    return replace(url, must_exist=True)
