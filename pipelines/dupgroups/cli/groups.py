"""`dup-groups groups`: export the group of every document of an engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
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
from dupgroups.cli.tables import Cell, check_result, write_table
from dupgroups.engines import Engine
from dupgroups.engines.common import copy_of
from dupgroups.errors import InputError
from dupgroups.flow.batches import batches
from dupgroups.model import Copy, Membership, Record
from dupgroups.text.counted import counted

Row = tuple[str, str, int, bool]

SPREAD = ("group", "id", "site", "url", "published", "first_seen", "minutes")
READ = 100  # groups whose copies are read together
AT_ONCE = 500  # documents that are read with one request


@app.command("groups")
def groups(
    engine: EngineOption = None,
    out: Annotated[Path, typer.Option(help=OUT, metavar="GROUPS.csv")] = STDOUT,
    config: ConfigOption = None,
    spread: Annotated[
        bool, typer.Option("--spread", help="How each story of several copies spread, instead.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Export the group of every document: id, group, size of the group, and whether it is the head of it.

    The rows are in the order of the groups, the oldest member of each first. With --spread they say of each
    copy when it was published and first seen, and how many minutes after the first known time; the copy that
    was published first comes first. Files that end in .parquet or .jsonl are written in that format, any
    other as CSV; `-` is standard output. `--json` prints the counts. Examples:

        dup-groups groups --engine sqlite:///news.db --out groups.csv

        dup-groups groups --engine sqlite:///news.db --spread

        dup-groups groups --engine URL | sort -t, -k3nr | head
    """
    if as_json and out == STDOUT:
        raise InputError("--json prints the counts: name a file for the groups with --out")
    check_result(out, config, *files_of_engine(url_of(engine, config)))
    with closing(existing(engine, config)) as opened:
        counts = Counts()
        with bar("exporting", count(opened)) as advance:
            groups_ = counts.groups_of(opened.memberships(), advance)
            if spread:
                write_table(out, SPREAD, _spread(opened, groups_))
            else:
                write_table(out, ("id", "group", "size", "head"), _sizes(groups_))
    if as_json:
        print_json({"documents": counts.documents, "groups": counts.groups})
        return
    beside(out).print(f"{counted(counts.documents, 'document')} in {counted(counts.groups, 'group')}")


class Counts:
    """What has been exported so far."""

    def __init__(self) -> None:
        self.documents = self.groups = 0

    def groups_of(
        self, memberships: Iterable[Membership], advance: Callable[[int], None]
    ) -> Iterator[list[Membership]]:
        """The members of each group; only those of one group are in memory together."""
        for _, found in groupby(memberships, key=lambda membership: membership.group):
            members = list(found)
            yield members
            self.documents += len(members)
            self.groups += 1
            advance(len(members))


def _sizes(groups_: Iterable[Sequence[Membership]]) -> Iterator[Row]:
    for members in groups_:
        yield from ((member.id, member.group, len(members), member.head) for member in members)


def _spread(engine: Engine, groups_: Iterable[Sequence[Membership]]) -> Iterator[Sequence[Cell]]:
    """The copies of the groups of several, many of which are read together."""
    from dupgroups.flow.explain.spread import Spread
    from dupgroups.web.payload import spread_rows

    several = (members for members in groups_ if len(members) > 1)
    for some in batches(several, READ):
        ids = [member.id for members in some for member in members]
        found: dict[str, tuple[Copy, Record]] = {}
        for part in batches(ids, AT_ONCE):
            found |= {
                id_: (copy_of(document), document.record) for id_, document in engine.read(part).items()
            }
        for members in some:
            copies = [found[member.id] for member in members if member.id in found]
            for row in spread_rows(Spread.of(copies)):
                yield (members[0].group, *row.values())
