"""`dup-groups follow`: group what other tools write into an index, without end."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dupgroups.cli.console import app
from dupgroups.cli.engine import fields_of
from dupgroups.cli.options import (
    BatchOption,
    ConfigOption,
    DateFieldIfGiven,
    EngineOption,
    HtmlFieldIfGiven,
    LanguageFieldIfGiven,
    TextFieldIfGiven,
    TitleFieldIfGiven,
    UrlFieldIfGiven,
)
from dupgroups.cli.output import stderr, stdout
from dupgroups.errors import EngineError

if TYPE_CHECKING:
    from dupgroups.config import Config
    from dupgroups.engines import Engine
    from dupgroups.engines.followed import Share
    from dupgroups.follow import Follower, Followers, Progress


@app.command("follow")
def follow(
    engine: EngineOption = None,
    text_field: TextFieldIfGiven = None,
    html_field: HtmlFieldIfGiven = None,
    title_field: TitleFieldIfGiven = None,
    url_field: UrlFieldIfGiven = None,
    date_field: DateFieldIfGiven = None,
    language_field: LanguageFieldIfGiven = None,
    batch: BatchOption = 500,
    every: Annotated[float, typer.Option(min=0.1, help="Seconds between two looks.", metavar="SECONDS")] = 2,
    share: Annotated[
        str, typer.Option(help="Group only this share of the ids: 1/3, 2/3, 3/3 in three processes.")
    ] = "1/1",
    progress: Annotated[
        float, typer.Option(min=1, help="Seconds between two lines of progress.", metavar="SECONDS")
    ] = 60,
    metrics_port: Annotated[
        int | None,
        typer.Option(min=1, max=65535, help="Port with metrics for Prometheus.", metavar="PORT"),
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Add `dup_group` to every document that any tool writes into an index, seconds after it was written.

    It looks every few seconds, without end, for documents that are new or have changed. The first run looks
    at all documents. Ctrl+C and SIGTERM end it after the batch at hand; the next run goes on from there. A
    line of progress tells the lag: the oldest document without a group is at most so old. When the server
    cannot be reached, it says so and tries again later.
    The names of fields are for an index of other tools, and kept with it as `backfill` keeps them. A name
    with a * stands for every index that matches, now or later; each has groups of its own. Examples:

        dup-groups follow --engine URL --text-field body --title-field headline

        dup-groups follow --engine URL --share 1/2 --metrics-port 9464
    """
    from dupgroups.config import Config, from_toml
    from dupgroups.engines import open_engine
    from dupgroups.engines.followed import Share

    given = {
        "text": text_field,
        "html": html_field,
        "title": title_field,
        "url": url_field,
        "date": date_field,
        "language": language_field,
    }
    settings = from_toml(config) if config else Config()
    part = Share.parse(share)
    with closing(open_engine(engine or settings.engine, must_exist=True)) as opened:
        follower = _follower(opened, engine or settings.engine, given, settings, part, batch)
        with _metrics(metrics_port, follower), _stopped_by_signals() as stop:
            follower.run(stop, every=every, report=_reporter(progress))
            _end(follower)
    stdout().print(_line(follower.progress), soft_wrap=True)


def _follower(
    opened: Engine,
    url: str | None,
    given: Mapping[str, str | None],
    config: Config,
    share: Share,
    batch: int,
) -> Follower | Followers:
    """What follows the one index that the URL names, or all indices behind a pattern or an alias."""
    from dupgroups.engines import engine_url, open_engine
    from dupgroups.follow import Follower, Followers

    named, fields = engine_url(url), fields_of(opened, given)
    if not _may_be_several(opened, named.path):
        return Follower(opened, fields, config, share=share, batch=batch)

    def open_index(name: str) -> Engine:
        return open_engine(replace(named, path=name), must_exist=True)

    return Followers(opened, open_index, fields, config, share=share, batch=batch)


def _may_be_several(opened: Engine, name: str) -> bool:
    """Whether a name stands for several indices, now or later: an alias begins with one and is rolled over.

    The alias of an index of ours stays one index: it moves on as a whole.
    """
    from dupgroups.engines.followed import Followable
    from dupgroups.engines.foreign import Adopting

    if not isinstance(opened, Followable):
        return False
    found = [*opened.indices()]
    if "*" in name or len(found) > 1:
        return True
    is_alias = bool(found) and found != [name]
    return is_alias and isinstance(opened, Adopting) and opened.is_foreign()


@contextmanager
def _stopped_by_signals() -> Iterator[threading.Event]:
    """An event that Ctrl+C and SIGTERM set. A second signal ends the process as it would without this."""
    stop = threading.Event()
    before: dict[signal.Signals, Any] = {}

    def handle(number: int, frame: object) -> None:
        stop.set()
        signal.signal(number, before[signal.Signals(number)])

    for number in (signal.SIGINT, signal.SIGTERM):
        before[number] = signal.signal(number, handle)
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _metrics(port: int | None, follower: Follower | Followers) -> Any:
    if port is None:
        return nullcontext()
    from dupgroups.cli.follow_metrics import serving

    return serving(port, follower.progress)


def _reporter(every: float) -> Callable[[Progress], None]:
    """A function that prints a line at first, whenever trouble begins or ends, and every so many seconds."""
    console, printed, trouble = stderr(), float("-inf"), ""

    def report(progress: Progress) -> None:
        nonlocal printed, trouble
        if progress.trouble != trouble and progress.trouble:
            console.print(f"{progress.trouble}; tried again later", style="yellow")
        if time.monotonic() >= printed + every or (trouble and not progress.trouble):
            console.print(_line(progress))
            printed = time.monotonic()
        trouble = progress.trouble

    return report


def _end(follower: Follower | Followers) -> None:
    try:
        follower.close()
    except EngineError as error:
        stderr().print(f"{error}; the next run settles what is left", style="yellow")


def _line(progress: Progress) -> str:
    from dupgroups.web.wording import counted

    states = ", ".join(f"{count:,} {state}" for state, count in progress.states.most_common())
    parts = [
        f"{counted(progress.documents, 'document')} grouped" + (f" ({states})" if states else ""),
        f"{progress.waiting:,} without a group",
        f"lag {progress.lag:.1f} s",
    ]
    if progress.failures:
        id_, reason = next(iter(progress.failures.items()))
        parts.append(f"{len(progress.failures):,} rejected, such as {id_}: {reason}")
    return f"{time.strftime('%H:%M:%S')} {'; '.join(parts)}"
