"""`dup-groups add`: add the documents of files to an index, without Scrapy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.cli.add_state import AddState
from dupgroups.cli.console import app
from dupgroups.cli.files import check_apart, check_place, files_of, files_of_engine
from dupgroups.cli.options import (
    ConfigOption,
    EngineOption,
    FieldsOption,
    FilesArgument,
    JsonOption,
    ProcessesOption,
)
from dupgroups.cli.output import print_json, stderr, stdout
from dupgroups.cli.progress import reading_bar, teller
from dupgroups.errors import InputError
from dupgroups.inputs.documents import Documents, fields_of_file
from dupgroups.inputs.rows import STDIN
from dupgroups.text.counted import counted

if TYPE_CHECKING:
    from dupgroups.add import Archivist
    from dupgroups.flow.ingest import ItemResult
    from dupgroups.model import Page

LEFT = ("dead_letter", "failed")  # states of pages that are not stored


@app.command("add")
def add(
    files: FilesArgument,
    engine: EngineOption = None,
    fields: FieldsOption = None,
    processes: ProcessesOption = None,
    dead_letters: Annotated[
        Path, typer.Option(help="File for pages that cannot be stored, for `dup-groups replay`.")
    ] = Path("dup-groups.dead.jsonl"),
    state: Annotated[Path, typer.Option(help="File that says how far the files have been read.")] = Path(
        "dup-groups.add.json"
    ),
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Add the documents of files to an index, with the groups that a crawl of them would give.

    The files are JSON Lines, CSV, TSV, Parquet or web archives, by their names, or folders of HTML; `-` is
    standard input. They are signed on all cores. You can interrupt the command and run it again: it goes on
    where it stopped, and passes over files that have not changed. Pages that cannot be stored are kept, and
    the exit status is 1 then, as after a file that cannot be read. Examples:

        dup-groups add crawl-*.warc.gz --engine opensearch://localhost:9200/news

        dup-groups add dump.parquet --fields text=body,url=link

        zcat news.jsonl.gz | dup-groups add - --engine sqlite:///news.db
    """
    from contextlib import closing

    from dupgroups.add import Archivist
    from dupgroups.config import Config, from_toml
    from dupgroups.engines import open_engine
    from dupgroups.flow import Deduper

    settings = from_toml(config) if config else Config()
    read = [config, *files_of(settings), *files_of_engine(engine or settings.engine), *files]
    check_apart(dead_letters, state, *read)
    check_place(state, *read)
    names, failed = fields_of_file(fields), False
    with closing(Deduper(open_engine(engine or settings.engine), settings)) as deduper:
        archivist = Archivist(deduper, dead_letters, processes)
        run = _Run(archivist, AddState(state, deduper.engine))
        for file in files:
            documents = Documents(file, teller(), names, settings.group_by, as_crawled=True)
            try:
                run.add(documents)
            except InputError as error:
                stderr().print(f"dup-groups: {error}", style="red")
                failed = True
    run.report(dead_letters, as_json)
    if failed or any(archivist.states[name] for name in LEFT):
        raise typer.Exit(1)


class _Run:
    """Adds files one after another, and counts."""

    def __init__(self, archivist: Archivist, state: AddState) -> None:
        self.passed_over = self.broken = 0
        self._archivist = archivist
        self._state = state

    def add(self, documents: Documents) -> None:
        """Add the documents of one file but for those at its beginning that are stored. Raises InputError."""
        is_file = documents.path != STDIN
        done = self._state.done(documents.path) if is_file else 0
        with reading_bar(documents) as advance:

            def stored(pages: Sequence[Page], results: Sequence[ItemResult]) -> None:
                nonlocal done
                done += len(pages)
                advance(done)
                ids = [result.id for result in results if result.id]
                if is_file and ids:
                    self._state.note(documents.path, done, ids[-1])

            self.passed_over += done
            try:
                self._archivist.add(islice(documents, done, None), stored)
            finally:
                self.broken += documents.faults

    def report(self, dead_letters: Path, as_json: bool) -> None:
        """Print what became of the documents."""
        states = self._archivist.states
        if as_json:
            print_json(
                {
                    "documents": states.total(),
                    "states": states,
                    "passed_over": self.passed_over,
                    "left_out": self.broken,
                }
            )
            return
        parts = [counted(states.total(), "document") + (f": {_listed(states)}" if states else "")]
        if self.passed_over:
            parts.append(f"{self.passed_over:,} added before")
        if self.broken:
            parts.append(f"{counted(self.broken, 'broken line')} left out")
        stdout().print("; ".join(parts), soft_wrap=True)
        if states["dead_letter"]:
            stdout().print(f"what was not stored: dup-groups replay {dead_letters}", soft_wrap=True)


def _listed(states: Counter[str]) -> str:
    return ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in states.most_common())
