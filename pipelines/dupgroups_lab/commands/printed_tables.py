"""Tables that commands of the lab print, or that are kept for a page."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from dupgroups.cli.output import print_json, stdout
from dupgroups_lab.measures.tabulated import Tabulated

_kept: ContextVar[list[Tabulated] | None] = ContextVar("kept", default=None)


@contextmanager
def keep_tables() -> Iterator[list[Tabulated]]:
    """Keep in this list the tables that are shown meanwhile."""
    tables: list[Tabulated] = []
    token = _kept.set(tables)
    try:
        yield tables
    finally:
        _kept.reset(token)


def show(tables: Sequence[Tabulated], values: object, as_json: bool = False, *, extent: str = "") -> None:
    """Print the tables, after a sentence on their extent; as JSON the values, or the tables for None."""
    from rich.table import Table

    keeping = _kept.get()
    if keeping is not None:
        keeping.extend(tables)
    if as_json:
        print_json(values or {"extent": extent, **{table.columns[0]: table.values for table in tables}})
        return
    console = stdout()
    if extent:
        console.print(f"{extent}\n")
    for tabulated in tables:
        table = Table(*tabulated.columns, box=None, pad_edge=False)
        for row in tabulated.rows:
            table.add_row(*row)
        console.print(table, soft_wrap=False)
        console.print()
