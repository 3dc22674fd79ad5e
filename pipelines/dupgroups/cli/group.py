"""`dup-groups group`: the groups of a file of documents, without an engine."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.cli.console import app
from dupgroups.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from dupgroups.cli.documents import JsonLines

SHOWN = 10  # broken lines that are told one by one


class FieldName(str, Enum):
    """What a document is read from."""

    html = "html"
    text = "text"


@app.command("group")
def group(
    documents: Annotated[Path, typer.Argument(help="JSON Lines, gzipped or not.", metavar="DOCS.jsonl[.gz]")],
    out: Annotated[Path, typer.Option(help="Where `id,group` goes.", metavar="GROUPS.csv")],
    pairs: Annotated[
        Path | None, typer.Option(help="Where `a,b,score,relation` goes.", metavar="PAIRS.csv")
    ] = None,
    field: Annotated[
        FieldName | None, typer.Option(help="Read only this; else html where a document has it, else text.")
    ] = None,
    processes: Annotated[int | None, typer.Option(min=1, help="Processes; else one a core.")] = None,
    config: Annotated[Path | None, typer.Option(help="TOML file with methods of your own.")] = None,
) -> None:
    """Group the documents of a file: one line each, a JSON object with `html` or `text`, `id`, `url`, ...

    A group is named by its first document. The score of a pair is 0.5 or more for copies, 0.25 or more for an
    excerpt, less for all others. Example:

        dup-groups group news.jsonl.gz --out groups.csv --pairs pairs.csv
    """
    from rich.console import Console

    from dupgroups.batch import group_pages
    from dupgroups.cli.documents import JsonLines
    from dupgroups.config import from_toml

    console = Console(stderr=True, highlight=False, markup=False)
    settings = from_toml(config) if config else None
    lines = JsonLines(documents, field.value if field else None, _teller(console))
    with _bars(lines, console) as progress:
        found = group_pages(lines, settings, processes=processes, progress=progress)
    _write(out, ("id", "group"), found.groups.items())
    if pairs:
        rows = ((a, b, f"{verdict.score:.6f}", verdict.relation) for a, b, verdict in found.pairs)
        _write(pairs, ("a", "b", "score", "relation"), rows)
    groups = len(set(found.groups.values()))
    typer.echo(f"{len(found.groups)} documents in {groups} groups" + _faults(lines.faults))


def _teller(console: Console) -> Callable[[str], None]:
    told = 0

    def tell(sentence: str) -> None:
        nonlocal told
        told += 1
        if told <= SHOWN:
            console.print(sentence, style="yellow", soft_wrap=True)

    return tell


def _faults(count: int) -> str:
    return f"; {count} broken line{'s' if count > 1 else ''} left out" if count else ""


@contextmanager
def _bars(lines: JsonLines, console: Console) -> Iterator[Callable[[str, int, int | None], None]]:
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description:>8}"),
        BarColumn(),
        TextColumn("{task.fields[count]:>9,} documents, left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as progress:
        reading = progress.add_task("signing", total=None, count=0)
        judging = progress.add_task("judging", total=None, count=0)

        def told(step: str, done: int, total: int | None) -> None:
            if step == "sign":
                progress.update(reading, completed=lines.position, total=lines.size or None, count=done)
            else:
                progress.update(judging, completed=done, total=total, count=done)

        yield told


def _write(path: Path, header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    """Write a whole CSV file or none: it takes its name only when it is complete."""
    try:
        with NamedTemporaryFile(
            "w", dir=path.parent, delete=False, newline="", encoding="utf-8", errors="backslashreplace"
        ) as file:
            try:
                csv.writer(file, lineterminator="\n").writerows([header, *rows])
                file.flush()
                os.fsync(file.fileno())
                Path(file.name).chmod(0o666 & ~_umask())
                Path(file.name).replace(path)
            except BaseException:
                Path(file.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
