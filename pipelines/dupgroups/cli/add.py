"""`dup-groups add`: add the documents of files to an index, without Scrapy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from dupgroups.bulk.inputs.documents import Documents, fields_of_file
from dupgroups.cli.add_state import AddState
from dupgroups.cli.console import app
from dupgroups.cli.engine import name_of, settings_of
from dupgroups.cli.files import check_apart, check_place, files_of_engine
from dupgroups.cli.options import (
    ConfigOption,
    DeadLettersOption,
    EngineOption,
    FieldsOption,
    FilesArgument,
    JsonOption,
    NotArticleOption,
    ProcessesOption,
)
from dupgroups.cli.output import print_json, stderr, stdout
from dupgroups.cli.progress import reading_bar, teller
from dupgroups.cli.tables import check_result, write_table
from dupgroups.engines import open_engine
from dupgroups.errors import InputError
from dupgroups.model import Document
from dupgroups.text.counted import counted

LEFT = ("dead_letter", "failed")  # states of pages that are not stored


@app.command("add")
def add(
    files: FilesArgument,
    engine: EngineOption = None,
    fields: FieldsOption = None,
    processes: ProcessesOption = None,
    dead_letters: DeadLettersOption = Path("dup-groups.dead.jsonl"),
    not_article: NotArticleOption = None,
    left_out: Annotated[
        Path | None,
        typer.Option(help="File that lists what was skipped, with the confidence.", metavar="PAGES.csv"),
    ] = None,
    state: Annotated[Path, typer.Option(help="File that says how far the files have been read.")] = Path(
        "dup-groups.add.json"
    ),
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Add the documents of files to an index, with the groups that a crawl of them would give.

    The files are JSON Lines, CSV, TSV, Parquet or web archives, by their names, or folders of HTML; `-` is
    standard input. They are signed on all cores. HTML pages that are no articles are skipped, as in a crawl
    (`--not-article keep` stores them). You can interrupt the command and run it again: it goes on
    where it stopped, and passes over files that have not changed. Pages that cannot be stored are kept, and
    the exit status is 1 then, as after a file that cannot be read. Examples:

        dup-groups add crawl-*.warc.gz --engine opensearch://localhost:9200/news

        dup-groups add dump.parquet --fields text=body,url=link

        zcat news.jsonl.gz | dup-groups add - --engine sqlite:///news.db
    """
    from dupgroups.bulk.add import add_pages
    from dupgroups.flow import Deduper

    settings = settings_of(config)
    url = engine or settings.engine
    read = [config, *files_of_engine(url), *files]
    check_apart(dead_letters, state, *read)
    check_place(state, *read)
    if left_out:
        check_result(left_out, state, dead_letters, *read)
    skipped: list[tuple[str, str, float]] = []
    skip = None if not_article == "keep" else partial(_note, skipped)
    names, failed = fields_of_file(fields), False
    sources = [Documents(file, teller(), names, settings.group_by, as_crawled=True) for file in files]
    states: Counter[str] = Counter()
    with closing(Deduper(open_engine(url), settings)) as deduper, _interruptible(states):
        known = AddState(state, deduper.engine)
        for documents in sources:
            done = known.done(documents.path)
            try:
                with reading_bar(documents) as advance:
                    for results in add_pages(
                        islice(documents, done, None), deduper, dead_letters, processes, on_left_out=skip
                    ):
                        done += len(results)
                        advance(done)
                        states.update(result.state for result in results)
                        known.note(documents.path, done, results)
            except InputError as error:
                stderr().print(f"dup-groups: {error}", style="red")
                failed = True
    if left_out:
        write_table(left_out, ("id", "url", "article"), skipped)
    broken = sum(documents.faults for documents in sources)
    if as_json:
        counts = {"documents": states.total(), "states": states}
        print_json(counts | {"passed_over": known.passed_over, "left_out": broken})
    else:
        _report(states, known.passed_over, broken, dead_letters, "" if engine else name_of(None, config))
    if failed or any(states[name] for name in LEFT):
        raise typer.Exit(1)


@contextmanager
def _interruptible(states: Counter[str]) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        stderr().print(f"{counted(states.total(), 'document')} done; run the same command to go on")
        raise typer.Exit(130) from None


def _note(skipped: list[tuple[str, str, float]], document: Document) -> None:
    content = document.content
    skipped.append((document.record.id, content.url or "", content.article))


def _report(states: Counter[str], passed_over: int, broken: int, dead_letters: Path, name: str) -> None:
    """Print what became of the documents."""
    listed = ", ".join(f"{count:,} {state.replace('_', ' ')}" for state, count in states.most_common())
    parts = [counted(states.total(), "document") + (f": {listed}" if states else "")]
    if passed_over:
        parts.append(f"{passed_over:,} added before")
    if broken:
        parts.append(f"{counted(broken, 'broken line')} left out")
    stdout().print("; ".join([*parts, *([f"in {name}"] if name else [])]), soft_wrap=True)
    if states["dead_letter"]:
        stdout().print(f"what was not stored: dup-groups replay {dead_letters}", soft_wrap=True)
