"""`dup-groups stats`: the figures of an index."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

from dupgroups.cli import options
from dupgroups.cli.built_in import commands
from dupgroups.cli.engine import existing
from dupgroups.cli.output import json_values, plain_table, print_json, stdout
from dupgroups.flow.dead_letters import waiting
from dupgroups.metrics import by_size_range
from dupgroups.model import Statistics
from dupgroups.text.terminal import plain

STATES = {"alone": "alone in their group", "first": "first of several", "copy": "copies"}


@commands.command("stats")
def stats(
    engine: options.Engine = None,
    dead_letters: options.DeadLetters = Path("dup-groups.dead.jsonl"),
    config: options.ConfigFile = None,
    as_json: options.Json = False,
) -> None:
    """Print the figures of an index: documents, groups and their sizes, sites, what is not looked at yet.

    Documents are counted but not read, so a million take a few seconds. Examples:

        dup-groups stats --engine opensearch://localhost:9200/news

        dup-groups stats --engine sqlite:///news.db --json
    """
    letters = waiting(dead_letters)
    with closing(existing(engine, config)) as opened:
        figures, name = opened.statistics(), opened.name
    if as_json:
        print_json({"engine": name, **json_values(figures), "dead_letters": letters})
    else:
        _print(name, figures, letters)


def _print(name: str, figures: Statistics, letters: int) -> None:
    console = stdout()
    console.print(name, style="italic")
    _table("", "", dict(_figures(figures, letters)))
    sizes = by_size_range(figures.sizes).items()
    _table("size", "groups", {size: number for size, number in sizes if number})
    _table("site", "documents", {site.value: site.count for site in figures.largest_sites})
    if figures.sites > len(figures.largest_sites):
        console.print(f"and {figures.sites - len(figures.largest_sites):,} other sites")


def _figures(figures: Statistics, letters: int) -> Iterator[tuple[str, int | str]]:
    from dupgroups.presentation.date_formats import instant

    yield "documents", figures.documents
    yield from ((f"  {STATES[state]}", number) for state, number in figures.states.items())
    yield "groups", figures.groups
    yield "redirects", figures.redirects
    yield "sites", figures.sites
    yield "operations not looked at yet", "unknown" if figures.unsettled is None else figures.unsettled
    yield "last seen", (instant(figures.last_seen) if figures.last_seen else None) or "never"
    yield "dead letters", letters


def _table(name: str, value: str, rows: Mapping[str, int | str]) -> None:
    if not rows:
        return
    table = plain_table(name, value)
    table.show_header = bool(name)
    table.columns[1].justify = "right"
    for key, shown in rows.items():
        table.add_row(plain(key) if name else key, f"{shown:,}" if isinstance(shown, int) else shown)
    stdout().print("", table, sep="\n", soft_wrap=False)
