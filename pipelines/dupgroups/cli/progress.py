"""What a command reports while it reads a file of documents: broken lines and progress bars."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from dupgroups.cli.documents import JsonLines

SHOWN = 10  # broken lines that are reported


def teller(console: Console) -> Callable[[str], None]:
    """A function that prints the first SHOWN sentences that it gets, and ignores the rest."""
    count = 0

    def tell(sentence: str) -> None:
        nonlocal count
        count += 1
        if count <= SHOWN:
            console.print(sentence, style="yellow", soft_wrap=True)

    return tell


@contextmanager
def bars(
    lines: JsonLines, console: Console, names: tuple[str, str] = ("signing", "judging")
) -> Iterator[Callable[[str, int, int | None], None]]:
    """Show the progress of `group_pages` over these documents; `names` are the names of its two steps."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from dupgroups.web.wording import counted

    columns = (
        TextColumn("{task.description:>9}"),
        BarColumn(),
        TextColumn("{task.fields[count]:>19}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as progress:
        reading = progress.add_task(names[0], total=None, count="")
        judging = progress.add_task(names[1], total=None, count="")

        def show(step: str, done: int, total: int | None) -> None:
            count = counted(done, "document")
            if step == "sign":
                progress.update(reading, completed=lines.position, total=lines.size or None, count=count)
            else:
                progress.update(judging, completed=done, total=total, count=count)

        yield show


@contextmanager
def bar(name: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show how many of `total` documents are done; call it with the number of each batch."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(name), BarColumn(), MofNCompleteColumn(), TextColumn("left"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(name, total=total)
        yield lambda documents: progress.advance(task, documents)
