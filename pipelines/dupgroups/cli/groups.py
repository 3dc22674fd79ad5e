"""`dup-groups groups`: export the group of every document of an engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Annotated

from dupgroups.cli import options
from dupgroups.cli.built_in import commands
from dupgroups.cli.engine import count, existing, url_of
from dupgroups.cli.files import files_of_engine
from dupgroups.cli.options import option
from dupgroups.cli.output import STDOUT, print_json, summary_console
from dupgroups.cli.progress import bar
from dupgroups.cli.tables import Cell, check_result, write_table
from dupgroups.engines import Engine
from dupgroups.engines.common import copy_of
from dupgroups.errors import InputError
from dupgroups.model import Membership
from dupgroups.text.batches import batches
from dupgroups.text.counted import count_noun

Row = tuple[str, str, int, bool]

BATCH_GROUPS = 100  # groups that are read together


@commands.command("groups")
def groups(
    engine: options.Engine = None,
    out: Annotated[Path, option(options.OUT_HELP, "GROUPS.csv")] = STDOUT,
    config: options.ConfigFile = None,
    spread: Annotated[
        bool, option("Write how stories with several copies spread, instead of the groups.", name="--spread")
    ] = False,
    sources: Annotated[
        bool,
        option("Write the source of each page of stories with several copies, and why.", name="--sources"),
    ] = False,
    as_json: options.Json = False,
) -> None:
    """Export the group of every document: id, group, size of the group, and whether it is the main copy.

    The rows are in the order of the groups, the oldest member of each first. With --spread: when each copy
    was published and first seen, and how many minutes after the first known time; the copy that was published
    first comes first. With --sources: how many pages, publishers and sources a story has, whose text each
    page prints, and whom it credits in which words. Files that end in .parquet or .jsonl are written in that
    format, any other as CSV; `-` is standard output. `--json` prints the counts. Examples:

        dup-groups groups --engine sqlite:///news.db --out groups.csv

        dup-groups groups --engine sqlite:///news.db --spread

        dup-groups groups --engine sqlite:///news.db --sources --out sources.csv

        dup-groups groups --engine URL | sort -t, -k3nr | head
    """
    if spread and sources:
        raise InputError("--spread and --sources are two tables: ask for one at a time")
    if as_json and out == STDOUT:
        raise InputError("--json prints the counts: name a file for the groups with --out")
    check_result(out, config, *files_of_engine(url_of(engine, config)))
    with closing(existing(engine, config)) as opened:
        counts = {"documents": 0, "groups": 0}
        with bar("exporting", count(opened)) as advance:
            rows = _rows(opened.memberships(), counts, advance)
            if spread:
                _write_spread(out, opened, rows)
            elif sources:
                _write_sources(out, opened, rows)
            else:
                write_table(out, ("id", "group", "size", "head"), rows)
    if as_json:
        print_json(counts)
        return
    documents, groups = count_noun(counts["documents"], "document"), count_noun(counts["groups"], "group")
    summary_console(out).print(f"{documents} in {groups}")


def _rows(
    memberships: Iterable[Membership], counts: dict[str, int], advance: Callable[[int], None]
) -> Iterator[Row]:
    """A row for each document, which is counted; only the members of one group are in memory together."""
    for group, of_group in groupby(memberships, key=lambda membership: membership.group):
        members = list(of_group)
        yield from ((member.id, group, len(members), member.head) for member in members)
        counts["documents"] += len(members)
        counts["groups"] += 1
        advance(len(members))


def _write_spread(out: Path, engine: Engine, rows: Iterable[Row]) -> None:
    """Write the copies of the groups of several, in the order of their publication; many are read at once."""
    from dupgroups.flow.explain.spread import Spread
    from dupgroups.presentation.story import SPREAD_COLUMNS, spread_rows

    def read_rows() -> Iterator[tuple[Cell, ...]]:
        for some in batches(_read_several(rows), BATCH_GROUPS):
            stored = engine.read([id_ for members in some for id_, *_ in members])
            for members in some:
                there = [stored[id_] for id_, *_ in members if id_ in stored]
                copies = [(copy_of(document), document.record) for document in there]
                yield from ((members[0][1], *row.values()) for row in spread_rows(Spread.of(copies)))

    write_table(out, ("group", *SPREAD_COLUMNS), read_rows())


def _write_sources(out: Path, engine: Engine, rows: Iterable[Row]) -> None:
    """Write the pages of the groups of several, by source; the texts of few are in memory at once."""
    from dupgroups.flow.explain.sources import SOURCE_COLUMNS, read_sources, source_rows

    def read_rows() -> Iterator[tuple[Cell, ...]]:
        for members in _read_several(rows):
            sources = read_sources(engine, [id_ for id_, *_ in members])
            story = members[0][1], len(sources.pages), sources.publishers, len(sources.found)
            yield from ((*story, *row.values()) for row in source_rows(sources))

    write_table(out, ("group", "pages", "publishers", "sources", *SOURCE_COLUMNS), read_rows())


def _read_several(rows: Iterable[Row]) -> Iterator[list[Row]]:
    for _, members in groupby((row for row in rows if row[2] > 1), itemgetter(1)):
        yield list(members)
