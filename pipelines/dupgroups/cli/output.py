"""The output of commands: results on standard output; notes and progress on standard error."""

from __future__ import annotations

import json
import logging
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dupgroups.model import Check
from dupgroups.text.terminal import UNSAFE

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

STDOUT = Path("-")
MAX_LISTED_REJECTIONS = 10  # documents that are listed
UNBROKEN_COLUMNS = 100_000  # columns of a table that is not printed to a terminal: no cell is broken


@dataclass(slots=True)
class Verbosity:
    """The verbosity that -v and -q ask for; a command starts with neither."""

    verbose: bool = False
    quiet: bool = False


verbosity = Verbosity()


def stdout() -> Console:
    """Standard output. A line is not broken; where it is not a terminal, neither are the cells of a table."""
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    if not console.is_terminal:
        console.width = UNBROKEN_COLUMNS
    return console


def stderr() -> Console:
    """Standard error, for everything that is not a result; silent with -q."""
    from rich.console import Console

    return Console(
        stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True, quiet=verbosity.quiet
    )


def summary_console(out: Path) -> Console:
    """Where the summary of a result goes that was written to `out`: not between the rows of the result."""
    return stderr() if out == STDOUT else stdout()


def plain_table(*columns: str) -> Table:
    """An empty table without lines."""
    from rich.table import Table

    return Table(*columns, box=None, pad_edge=False, header_style="dim")


def print_checks(checks: Sequence[Check]) -> None:
    """Print a line for each check."""
    from rich.text import Text

    table = plain_table("", "check", "result")
    for check in checks:
        mark = Text("ok", "green") if check.ok else Text("WRONG", "bold red")
        table.add_row(mark, Text(check.name), Text(check.detail))
    stdout().print(table, soft_wrap=False)


def print_rejected(failures: Mapping[str, str]) -> None:
    """Print the first documents that the engine refused, with the reasons."""
    for id_, reason in list(failures.items())[:MAX_LISTED_REJECTIONS]:
        stdout().print(f"rejected {id_}: {reason}", style="red")


def configure_logging() -> None:
    """Log to standard error what `verbosity` asks for."""
    level = logging.INFO if verbosity.verbose else logging.CRITICAL if verbosity.quiet else logging.WARNING
    logging.basicConfig(level=level, format="%(levelname)s %(name)s: %(message)s", force=True)


def print_json(value: object, indent: int | None = 2) -> None:
    """Print a JSON document that is safe on a terminal: unsafe characters are escaped, Chinese is not.

    Without an `indent` it is one line.
    """
    import typer

    text = json.dumps(json_values(value), ensure_ascii=False, indent=indent)
    # all newlines are JSON syntax: those in strings are already escaped
    typer.echo(re.sub(r"(?!\n)" + UNSAFE.pattern, lambda match: f"\\u{ord(match[0]):04x}", text))


def json_values(value: object) -> Any:
    """The value in the types of JSON: a dataclass becomes its fields and properties, a set a sorted list.

    A number that JSON does not have (infinite, not a number) becomes None, and anything else its string.

    >>> json_values({"sites": {"b", "a"}, 1: float("nan")})
    {'sites': ['a', 'b'], '1': None}
    """
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if is_dataclass(value) and not isinstance(value, type):
        return {name: json_values(getattr(value, name)) for name in _names(value)}
    if isinstance(value, Mapping):
        return {str(key): json_values(item) for key, item in value.items()}
    if isinstance(value, AbstractSet):
        return [json_values(item) for item in sorted(value)]
    if isinstance(value, list | tuple):
        return [json_values(item) for item in value]
    return json_values(value.tolist()) if hasattr(value, "tolist") else str(value)


def _names(value: Any) -> Iterator[str]:
    yield from (field.name for field in fields(value))
    for name, attribute in vars(type(value)).items():
        if isinstance(attribute, property):
            yield name


def url_host(host: str) -> str:
    """A host as it stands in a URL: an address of IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host
