"""What a command reports while it works: broken lines, and progress bars if stderr is a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from dupgroups.cli.output import stderr
from dupgroups.text.counted import counted

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

    from dupgroups.bulk.inputs.documents import Documents

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
def step_bars(
    *steps: str, documents: Documents | None = None
) -> Iterator[Callable[[str, int, int | None], None]]:
    """Show steps that follow each other, each with its rate and the time that it still takes; call it with
    the step, how many documents are done, and of how many. None: as many as the file `documents` has.
    """
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn

    counts = (TextColumn("{task.fields[count]:>19}"), TextColumn("{task.fields[rate]:>14}"))
    columns = (TextColumn("{task.description:>9}"), BarColumn(), *counts, TimeRemainingColumn())
    with progress(*columns) as shown:
        tasks = {step: shown.add_task(step, total=None, start=False, count="", rate="") for step in steps}
        before: dict[str, int] = {}  # what another run has done already

        def show(step: str, done: int, total: int | None) -> None:
            task = shown.tasks[tasks[step]]
            if not task.started:
                shown.start_task(task.id)
            now = done - before.setdefault(step, done)
            rate = f"{now / task.elapsed:,.0f} a second" if task.elapsed else ""
            if total is None and documents:
                total = documents.expected()  # it is read ahead of what is done
            size = total if total is None else max(done, total)
            shown.update(task.id, completed=done, total=size, count=counted(done, "document"), rate=rate)

        yield show


@contextmanager
def bars(
    documents: Documents, names: tuple[str, str] = ("signing", "judging")
) -> Iterator[Callable[[str, int, int | None], None]]:
    """Show the progress of `group_pages` over these documents; `names` are the names of its two steps."""
    named = dict(zip(("sign", "judge"), names, strict=True))
    with step_bars(*names, documents=documents) as show:
        yield lambda step, done, total: show(named[step], done, None if step == "sign" else total)


@contextmanager
def bar(name: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show how many of `total` documents are done; call it with the number of each batch."""
    done = 0
    with step_bars(name) as show:

        def advance(documents: int) -> None:
            nonlocal done
            done += documents
            show(name, done, total)

        yield advance


@contextmanager
def reading_bar(documents: Documents) -> Iterator[Callable[[int], None]]:
    """Show how many documents of a file are done; call it with their number."""
    name = documents.path.name or str(documents.path)
    with step_bars(name, documents=documents) as show:
        yield lambda done: show(name, done, None)
