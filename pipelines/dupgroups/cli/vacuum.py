"""`dup-groups vacuum`: give the space that a SQLite file no longer needs back to the disk."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from dupgroups.cli.console import app
from dupgroups.cli.options import JsonOption
from dupgroups.cli.output import print_json, stdout
from dupgroups.cli.progress import bar


@app.command("vacuum")
def vacuum(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A SQLite file that a crawl has written.")],
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
    from dupgroups.engines.url import EngineURL

    before = size_of(file)
    url = EngineURL("sqlite", str(file), must_exist=True)
    with (
        closing(SQLiteConnection(url)) as connection,
        bar("writing", old_documents(connection)) as advance,
    ):
        compact(connection, advance)
    after = size_of(file)
    if as_json:
        print_json({"before": before, "after": after})
    else:
        stdout().print(f"{file}: {before:,} bytes before, {after:,} after", soft_wrap=True)
