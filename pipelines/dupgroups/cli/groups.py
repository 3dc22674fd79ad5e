"""`dup-groups groups`: export the group of every document of an engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer

from dupgroups.cli.console import app
from dupgroups.cli.engine import count, existing, url_of
from dupgroups.cli.files import files_of_engine
from dupgroups.cli.options import OUT, ConfigOption, EngineOption, JsonOption
from dupgroups.cli.output import STDOUT, beside, print_json
from dupgroups.cli.progress import bar
from dupgroups.cli.tables import check_result, write_table
from dupgroups.errors import InputError
from dupgroups.model import Membership
from dupgroups.text.counted import counted

Row = tuple[str, str, int, bool]


@app.command("groups")
def groups(
    engine: EngineOption = None,
    out: Annotated[Path, typer.Option(help=OUT, metavar="GROUPS.csv")] = STDOUT,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Export the group of every document: id, group, size of the group, and whether it is the head of it.

    The rows are in the order of the groups, the oldest member of each first. Files that end in .parquet or
    .jsonl are written in that format, any other as CSV; `-` is standard output. `--json` prints the counts.
    Examples:

        dup-groups groups --engine sqlite:///news.db --out groups.csv

        dup-groups groups --engine URL | sort -t, -k3nr | head
    """
    if as_json and out == STDOUT:
        raise InputError("--json prints the counts: name a file for the groups with --out")
    check_result(out, config, *files_of_engine(url_of(engine, config)))
    with closing(existing(engine, config)) as opened:
        counts = Counts()
        with bar("exporting", count(opened)) as advance:
            write_table(out, ("id", "group", "size", "head"), counts.rows(opened.memberships(), advance))
    if as_json:
        print_json({"documents": counts.documents, "groups": counts.groups})
        return
    beside(out).print(f"{counted(counts.documents, 'document')} in {counted(counts.groups, 'group')}")


class Counts:
    """What has been exported so far."""

    def __init__(self) -> None:
        self.documents = self.groups = 0

    def rows(self, memberships: Iterable[Membership], advance: Callable[[int], None]) -> Iterator[Row]:
        """A row for each document; only the members of one group are in memory together."""
        for group, found in groupby(memberships, key=lambda membership: membership.group):
            members = list(found)
            yield from ((member.id, group, len(members), member.head) for member in members)
            self.documents += len(members)
            self.groups += 1
            advance(len(members))
