"""`dup-groups follow`: group what other tools write into an index, without end."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.cli import options
from dupgroups.cli.engine import fields_of, settings_of
from dupgroups.cli.output import stderr, stdout
from dupgroups.cli.stopping import stop_on_signals

if TYPE_CHECKING:
    from dupgroups_filter.index_grouper import Progress

LINE_SECONDS = 60  # seconds between two lines of progress

app = typer.Typer(rich_markup_mode="markdown", add_completion=False)


@app.command("follow")
def follow(
    engine: options.Engine = None,
    fields: options.Fields = None,
    every: Annotated[float, typer.Option(min=0.1, help="Seconds between two polls.", metavar="SECONDS")] = 2,
    metrics_port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="Port with metrics for Prometheus.", metavar="PORT")
    ] = None,
    not_article: options.NotArticle = None,
    config: options.ConfigFile = None,
) -> None:
    """Add `dup_group` to every document that any tool writes into an index, seconds after it was written.

    It looks every few seconds, without end, for documents that are new or have changed. The first run looks
    at all documents. Ctrl+C and SIGTERM end it after the batch at hand; the next run goes on from there. A
    line of progress gives the lag: no document has waited longer for its group. When the server cannot be
    reached, it says so and tries again later. The names of fields are for an index of other tools, and kept
    with it as `backfill` keeps them. A name with a * stands for every index that matches, now or later, all
    of which are grouped as one. Examples:

        dup-groups follow --engine URL --fields text=body,title=headline

        dup-groups follow --engine URL --metrics-port 9464
    """
    from dupgroups.engines import open_engine
    from dupgroups_filter.grouper import Groupers

    chosen = options.skipping(settings_of(config), not_article)
    with closing(open_engine(engine or chosen.engine, must_exist=True)) as opened:
        groupers = Groupers(opened, fields_of(opened, fields), chosen)
        if metrics_port is not None:
            from dupgroups.metrics import listen
            from dupgroups_filter.filter_metrics import registry_of

            listen(registry_of(groupers.progress.figures), "0.0.0.0", metrics_port)  # noqa: S104 - for Prometheus
        groupers.run(stop_on_signals(), every=every, report=_reporter())
    stdout().print(_line(groupers.progress))


def _reporter() -> Callable[[Progress], None]:
    """A function that prints a line at first, whenever trouble begins or ends, and every LINE_SECONDS
    seconds."""
    console, printed, trouble = stderr(), float("-inf"), ""

    def report(progress: Progress) -> None:
        nonlocal printed, trouble
        if progress.trouble != trouble and progress.trouble:
            console.print(f"{progress.trouble}; tried again later", style="yellow")
        if time.monotonic() >= printed + LINE_SECONDS or (trouble and not progress.trouble):
            console.print(_line(progress))
            printed = time.monotonic()
        trouble = progress.trouble

    return report


def _line(progress: Progress) -> str:
    counts = progress.states.most_common()
    states = ", ".join(f"{count:,} {state.replace('_', ' ')}" for state, count in counts)
    figures = progress.figures()
    parts = [
        f"{figures['documents']:,} grouped" + (f" ({states})" if states else ""),
        f"{figures['waiting']:,} without a group",
        f"lag {figures['lag_seconds']:.1f} s",
    ]
    for index, failed in progress.failures.items():
        for id_, reason in [*failed.items()][:1]:
            parts.append(f"{len(failed):,} rejected, such as {index}/{id_}: {reason}")
    return f"{time.strftime('%H:%M:%S')} {'; '.join(parts)}"
