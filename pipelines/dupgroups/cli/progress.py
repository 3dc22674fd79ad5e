"""What a command reports while it works: broken lines, and progress bars if stderr is a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from dupgroups.cli.output import stderr

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

    from dupgroups.inputs.documents import Documents

SHOWN = 10  # broken lines that are reported


def progress(*columns: str | ProgressColumn) -> Progress:
    """A progress display on stderr: nothing if that is not a terminal, and nothing with -q."""
    from rich.progress import Progress

    console = stderr()
    console.quiet = console.quiet or not console.is_terminal  # else some versions of rich end with a newline
    return Progress(*columns, console=console, disable=console.quiet)


def teller() -> Callable[[str], None]:
    """A function that prints the first SHOWN sentences that it gets, and ignores the rest."""
    count, console = 0, stderr()

    def tell(sentence: str) -> None:
        nonlocal count
        count += 1
        if count <= SHOWN:
            console.print(sentence, style="yellow")

    return tell


@contextmanager
def bars(
    documents: Documents, names: tuple[str, str] = ("signing", "judging")
) -> Iterator[Callable[[str, int, int | None], None]]:
    """Show the progress of `group_pages` over these documents; `names` are the names of its two steps."""
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn

    from dupgroups.text.counted import counted

    columns = (
        TextColumn("{task.description:>9}"),
        BarColumn(),
        TextColumn("{task.fields[count]:>19}"),
        TimeRemainingColumn(),
    )
    with progress(*columns) as shown:
        reading = shown.add_task(names[0], total=None, count="")
        judging = shown.add_task(names[1], total=None, count="")

        def show(step: str, done: int, total: int | None) -> None:
            count = counted(done, "document")
            if step == "sign":
                shown.update(reading, completed=documents.position, total=documents.size or None, count=count)
            else:
                shown.update(judging, completed=done, total=total, count=count)

        yield show


@contextmanager
def bar(name: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show how many of `total` documents are done; call it with the number of each batch."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn(name), BarColumn(), MofNCompleteColumn(), TextColumn("left"), TimeRemainingColumn())
    with progress(*columns) as shown:
        task = shown.add_task(name, total=total)
        yield lambda documents: shown.advance(task, documents)


@contextmanager
def step_bars(*steps: str) -> Iterator[Callable[[str, int, int], None]]:
    """Show steps that follow each other, each with its rate and the time that it still takes; call it with
    the step, how many documents are done, and of how many.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

    rate = TextColumn("{task.fields[rate]:>14}")
    columns = (
        TextColumn("{task.description:>9}"),
        BarColumn(),
        MofNCompleteColumn(),
        rate,
        TimeRemainingColumn(),
    )
    with progress(*columns) as shown:
        tasks = {step: shown.add_task(step, total=None, start=False, rate="") for step in steps}
        before: dict[str, int] = {}  # what another run has done already

        def show(step: str, done: int, total: int) -> None:
            task = shown.tasks[tasks[step]]
            if not task.started:
                shown.start_task(task.id)
            now = done - before.setdefault(step, done)
            speed = f"{now / task.elapsed:,.0f} a second" if task.elapsed else ""
            shown.update(task.id, completed=done, total=max(done, total), rate=speed)

        yield show


@contextmanager
def reading_bar(documents: Documents) -> Iterator[Callable[[int], None]]:
    """Show how far a file has been read; call it with the number of its documents that are done."""
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn

    from dupgroups.text.counted import counted

    name = documents.path.name or str(documents.path)
    columns = (TextColumn(name), BarColumn(), TextColumn("{task.fields[count]}"), TimeRemainingColumn())
    with progress(*columns) as shown:
        task = shown.add_task(name, total=None, count="")

        def show(done: int) -> None:
            count = counted(done, "document")
            shown.update(task, completed=documents.position, total=documents.size or None, count=count)

        yield show
