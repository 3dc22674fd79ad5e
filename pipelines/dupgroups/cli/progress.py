"""Reports of a command at work: what was left out, and progress bars if stderr is a terminal. Where it is
not, in a log or a pipe, a line each LINE_SECONDS says how far the work is.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from dupgroups.cli.output import stderr, verbosity
from dupgroups.text.counted import count_noun

if TYPE_CHECKING:
    from rich.progress import Progress

    from dupgroups.bulk.inputs.page_reader import PageReader

MAX_REPORTED_LINES = 10  # broken lines that are reported
LINE_SECONDS = 30.0  # between two lines about the same work


def teller() -> Callable[[str], None]:
    """A function that prints the first MAX_REPORTED_LINES sentences that it gets, and ignores the rest."""
    count, console = 0, stderr()

    def tell(sentence: str) -> None:
        nonlocal count
        count += 1
        if count <= MAX_REPORTED_LINES:
            console.print(sentence, style="yellow")

    return tell


@contextmanager
def resumable(done: Callable[[], str] = lambda: "") -> Iterator[None]:
    """When the block is interrupted, say what is `done`, and how to go on."""
    try:
        yield
    except KeyboardInterrupt:
        stderr().print("; ".join(filter(None, [done(), "run the same command to go on"])))
        raise


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show that something goes on of which nothing can be counted."""
    with stderr().status(what), _report_regularly(lambda: what):
        yield


@contextmanager
def step_bars(
    *steps: str, documents: PageReader | None = None, unit: str = "document"
) -> Iterator[Callable[[str, int, int | None], None]]:
    """Show steps that follow each other, each with its rate and the time that it still takes; call it with
    the step, how many documents are done, and of how many. None: as many as the file `documents` has.
    """
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = stderr()
    console.quiet = console.quiet or not console.is_terminal  # else some versions of rich end with a newline
    counts = (TextColumn("{task.fields[count]:>19}"), TextColumn("{task.fields[rate]:>14}"))
    columns = (TextColumn("{task.description:>9}"), BarColumn(), *counts, TimeRemainingColumn())
    with (
        Progress(*columns, console=console, disable=console.quiet) as shown,
        _report_regularly(lambda: _line(shown)),
    ):
        tasks = {step: shown.add_task(step, total=None, start=False, count="", rate="") for step in steps}
        before: dict[str, int] = {}  # what another run has done already

        def show(step: str, done: int, total: int | None) -> None:
            task = shown.tasks[tasks[step]]
            if not task.started:
                shown.start_task(task.id)
            now = done - before.setdefault(step, done)
            rate = f"{now / task.elapsed:,.0f} a second" if task.elapsed else ""
            if total is None and documents:
                total = documents.estimate_pages()  # it is read ahead of what is done
            size = total if total is None else max(done, total)
            shown.update(task.id, completed=done, total=size, count=count_noun(done, unit), rate=rate)

        yield show


def _line(shown: Progress) -> str:
    """The step at hand in a line: what is done, of how many, how fast, and how long it still takes."""
    task = next((task for task in reversed(shown.tasks) if task.started), shown.tasks[0])
    of = f" of {task.total:,.0f}" if task.total else ""
    left = task.time_remaining
    parts = (f"{task.fields['count']}{of}", task.fields["rate"], left and f"{timedelta(seconds=left)} left")
    return ", ".join([task.description, *filter(None, parts)])


@contextmanager
def _report_regularly(line: Callable[[], str]) -> Iterator[None]:
    """Print a line each LINE_SECONDS until the block ends, and how long it has run; nothing on a terminal,
    which shows it anyway, and nothing with -q.
    """
    console, over = stderr(), threading.Event()

    def tell() -> None:
        seconds = 0.0
        while not over.wait(LINE_SECONDS):
            seconds += LINE_SECONDS
            console.print(f"{timedelta(seconds=round(seconds))} {line()}")

    thread = threading.Thread(target=tell, daemon=True)
    if not (verbosity.quiet or console.is_terminal):
        thread.start()
    try:
        yield
    finally:
        over.set()


@contextmanager
def bars(
    documents: PageReader, names: tuple[str, str] = ("signing", "judging")
) -> Iterator[Callable[[str, int, int | None], None]]:
    """Show the progress of `group_pages` over these documents; `names` are the names of its two steps."""
    named = dict(zip(("sign", "judge"), names, strict=True))
    with step_bars(*names, documents=documents) as show:
        yield lambda step, done, total: show(named[step], done, None if step == "sign" else total)


@contextmanager
def bar(name: str, total: int | None, unit: str = "document") -> Iterator[Callable[[int], None]]:
    """Show how many of `total` documents are done; call it with the number of each batch."""
    done = 0
    with step_bars(name, unit=unit) as show:

        def advance(documents: int) -> None:
            nonlocal done
            done += documents
            show(name, done, total)

        yield advance


def left_out_of(*documents: PageReader) -> tuple[str, dict[str, int]]:
    """How many records of these files were left out, as the end of a sentence, and how many for which reason;
    stderr says it of each file.
    """
    reasons: Counter[str] = Counter()
    for file in documents:
        reasons += file.left_out
        if account := file.account():
            stderr().print(account)
    return (f"; {count_noun(reasons.total(), 'record')} left out" if reasons else ""), dict(reasons)


@contextmanager
def reading_bar(documents: PageReader) -> Iterator[Callable[[int], None]]:
    """Show how many documents of a file are done; call it with their number."""
    name = documents.path.name or str(documents.path)
    with step_bars(name, documents=documents) as show:
        yield lambda done: show(name, done, None)
