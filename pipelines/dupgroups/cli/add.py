"""`dup-groups add`: add the documents of files to an index, without Scrapy."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dupgroups.bulk.inputs.page_reader import PageReader, fields_of_file
from dupgroups.bulk.inputs.rows import STDIN
from dupgroups.cli import options
from dupgroups.cli.built_in import commands
from dupgroups.cli.engine import name_of, settings_of
from dupgroups.cli.files import check_apart, check_place, files_of_engine, open_for_writing
from dupgroups.cli.options import option
from dupgroups.cli.output import print_json, stderr, stdout
from dupgroups.cli.progress import left_out_of, reading_bar, resumable, teller
from dupgroups.engines import open_engine
from dupgroups.engines.base import Store
from dupgroups.errors import InputError
from dupgroups.model import Page
from dupgroups.text.counted import count_noun

if TYPE_CHECKING:
    from dupgroups.flow.ingest import ItemResult


@commands.command("add")
def add(
    files: options.Files,
    engine: options.Engine = None,
    fields: options.Fields = None,
    processes: options.Processes = None,
    dead_letters: options.DeadLetters = Path("dup-groups.dead.jsonl"),
    not_article: options.NotArticle = None,
    left_out: Annotated[
        Path | None, option("Keep what is skipped in this file, for `dup-groups replay`.", "PAGES.jsonl")
    ] = None,
    state: Annotated[Path, option("File that says how far the files have been read.")] = Path(
        "dup-groups.add.json"
    ),
    config: options.ConfigFile = None,
    as_json: options.Json = False,
) -> None:
    """Add the documents of files to an index, grouped as if they had been crawled.

    The files are JSON (lines or a list), CSV, TSV, Parquet or web archives, by their names, or folders of
    HTML; `-` is standard input. They are signed on all cores. HTML pages that are not articles are skipped,
    as in a crawl (`--not-article keep` stores them). You can interrupt the command and run it again: it goes
    on where it stopped, and passes over files that have not changed. Pages that cannot be stored are kept.
    The exit status is 1 if there are any, or if a file cannot be read, or most of it was left out. Examples:

        dup-groups add crawl-*.warc.gz --engine opensearch://localhost:9200/news

        dup-groups add dump.parquet --fields text=body,url=link

        zcat news.jsonl.gz | dup-groups add - --engine sqlite:///news.db
    """
    from dupgroups.bulk.add_pages import add_pages
    from dupgroups.flow.deduper import Deduper
    from dupgroups.flow.ingest import Ingestor

    settings = options.skipping(settings_of(config), not_article)
    url = engine or settings.engine
    read = [config, *files_of_engine(url), *files]
    check_apart(dead_letters, state, *read)
    check_place(state, *read)
    if left_out:
        check_place(left_out, state, dead_letters, *read)
    names = fields_of_file(fields)
    failed = False
    sources = [PageReader(file, teller(), names, settings.group_by, as_crawled=True) for file in files]
    skip = settings.not_article == "skip"
    settings = replace(settings, not_article="keep")  # what is skipped is not stored without its text either
    states: Counter[str] = Counter()
    with (
        closing(Deduper(open_engine(url), settings)) as deduper,
        resumable(lambda: f"{count_noun(states.total(), 'document')} done"),
    ):
        deduper.ready()
        kept = AddState(state, deduper.engine)
        ingestor = Ingestor(deduper, dead_letters, left_out)
        adding = partial(add_pages, ingestor=ingestor, processes=processes, skip=skip)
        for documents in sources:
            try:
                _add_file(documents, adding, kept, states)
            except InputError as error:
                stderr().print(f"dup-groups: {error}", style="red")
                failed = True
    left_out_too, reasons = left_out_of(*sources)
    if as_json:
        counts = {"documents": states.total(), "states": states, "passed_over": kept.passed_over}
        print_json(counts | {"left_out": sum(reasons.values()), "reasons": reasons})
    else:
        _report(states, kept.passed_over, left_out_too, dead_letters, "" if engine else name_of(None, config))
    if states["not_article"]:
        shown = f"dup-groups replay {left_out} --list" if left_out else "--left-out FILE.jsonl keeps it"
        stderr().print(f"what is no article: {shown}")
    if failed or states["dead_letter"]:
        raise typer.Exit(1)


def _add_file(
    documents: PageReader,
    adding: Callable[[Iterable[Page]], Iterator[list[ItemResult]]],
    kept: AddState,
    states: Counter[str],
) -> None:
    """Add what is not stored yet of a file, and count the results by their states."""
    done = kept.count_done(documents.path)
    with reading_bar(documents) as advance:
        for results in adding(islice(documents, done, None)):
            done += len(results)
            advance(done)
            states.update(result.state for result in results)
            kept.note(documents.path, done, results)
    documents.check_left_out()


def _report(states: Counter[str], passed_over: int, left_out: str, dead_letters: Path, name: str) -> None:
    listed = ", ".join(f"{count:,} {state.replace('_', ' ')}" for state, count in states.most_common())
    parts = [count_noun(states.total(), "document") + (f": {listed}" if states else "")]
    if passed_over:
        parts.append(f"{passed_over:,} added before")
    where = f"; in {name}" if name else ""
    stdout().print("; ".join(parts) + left_out + where)
    if states["dead_letter"]:
        stdout().print(f"what was not stored: dup-groups replay {dead_letters}")


class AddState:
    """The number of pages of each file that are stored. A file that has changed is read from its beginning,
    and so is one whose last page is not in the store any more. Of standard input nothing is kept.
    `passed_over` counts the pages that `done` found.
    """

    def __init__(self, path: Path, store: Store) -> None:
        self.passed_over = 0
        self._path = path
        self._store = store
        self._files = _read(path)
        self._stamps: dict[Path, dict[str, int]] = {}

    def count_done(self, file: Path) -> int:
        """The number of pages at the beginning of a file that are stored already; to be asked for first."""
        kept = self._files.get(self._key(file), {})
        if file == STDIN or not file.exists():
            return 0  # who reads it says so
        self._stamps[file] = stamp = _stamp(file)  # as it was before it was read
        if {**kept, **stamp} != kept or not self._store.get([str(kept.get("last"))]):
            return 0
        self.passed_over += kept["pages"]
        return int(kept["pages"])

    def note(self, file: Path, pages: int, results: Sequence[ItemResult]) -> None:
        """So many pages of a file are stored, with these results of the last ones."""
        ids = [result.id for result in results if result.id]
        if file not in self._stamps or not ids:
            return
        self._files[self._key(file)] = {**self._stamps[file], "pages": pages, "last": ids[-1]}
        with open_for_writing(self._path) as out:
            json.dump(self._files, out, indent=1)

    def _key(self, file: Path) -> str:
        return f"{self._store.name} {file.resolve()}"


def _stamp(file: Path) -> dict[str, int]:
    """A value that changes with the contents of a file or folder."""
    files = [file, *file.rglob("*")] if file.is_dir() else [file]
    stats = [path.stat() for path in files if path.exists()]  # editors leave links that lead nowhere
    return {
        "bytes": sum(stat.st_size for stat in stats),
        "changed": max(stat.st_mtime_ns for stat in stats),
        "files": len(stats),
    }


def _read(path: Path) -> dict[str, dict[str, Any]]:
    try:
        files = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {error}; delete it to read all files again") from error
    if not isinstance(files, Mapping) or not all(isinstance(value, dict) for value in files.values()):
        raise InputError(f"{path} is not a file of dup-groups add: name another with --state")
    return dict(files)
