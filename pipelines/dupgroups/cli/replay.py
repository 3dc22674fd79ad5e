"""`dup-groups replay`: store the pages that could not be stored during a crawl."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.cli import options
from dupgroups.cli.built_in import commands
from dupgroups.cli.engine import settings_of
from dupgroups.cli.files import check_apart, files_of_engine
from dupgroups.cli.options import option
from dupgroups.cli.output import STDOUT, print_json, stdout
from dupgroups.cli.progress import bar
from dupgroups.cli.tables import write_table
from dupgroups.engines import open_engine
from dupgroups.errors import InputError
from dupgroups.flow.dead_letters import DeadLetter, append_lines, claim, dumps, is_there, loads, microseconds
from dupgroups.text.batches import heavy_batches
from dupgroups.text.counted import count_noun

if TYPE_CHECKING:
    from dupgroups.flow.deduper import Deduper
    from dupgroups.flow.ingest import Ingestor, Signed

BATCH_PAGES = 50
BATCH_BYTES = 8_000_000
UNSTORED_STATES = ("dead_letter", "unreadable", "not tried")  # states of pages that are not stored


@commands.command("replay")
def replay(
    file: Annotated[
        Path, typer.Argument(dir_okay=False, help="The file of a crawl or of add.", metavar="FILE")
    ],
    only: Annotated[
        list[str] | None, option("Store the page with this address or id alone (repeatable).", "ADDRESS")
    ] = None,
    listing: Annotated[
        bool, option("List the pages, and why they are not stored; store nothing.", name="--list")
    ] = False,
    engine: options.Engine = None,
    config: options.ConfigFile = None,
    as_json: options.Json = False,
) -> None:
    """Store the pages that a crawl could not store, or left out; pages that fail again stay in FILE.

    You can run it again at any time, also after it was killed, and while a crawl writes to FILE. If a later
    visit has already stored a page, its newer text is kept. The exit status is 1 if pages are left in FILE,
    and if there is no FILE. Examples:

        dup-groups replay dup-groups.dead.jsonl --engine sqlite:///news.db

        dup-groups replay left-out.jsonl --only https://example.org/1.html
    """
    from dupgroups.flow.deduper import Deduper

    if not is_there(file):
        raise InputError(f"there is nothing to replay: there is no file {file}")
    if listing:
        write_table(STDOUT, ("address", "why", "time"), _list(file))
        return
    settings = replace(settings_of(config), not_article="keep")  # what is replayed is wanted
    check_apart(file, config, *files_of_engine(engine or settings.engine))
    with closing(Deduper(open_engine(engine or settings.engine), settings)) as deduper:
        counts = replay_file(file, deduper, only or ())
    if only and counts.keys() <= {"left", "unreadable"}:
        raise InputError(f"{file} has no page {' or '.join(only)}: `dup-groups replay {file} --list`")
    if as_json:
        print_json({"pages": sum(counts.values()), "states": counts})
    else:
        stdout().print(_report(file, counts))
    if any(counts[state] for state in UNSTORED_STATES):
        raise typer.Exit(1)


def replay_file(file: Path, deduper: Deduper, only: Collection[str] = ()) -> Counter[str]:
    """Process the letters of a file, or `only` those of these addresses or ids; returns how many pages are in
    each state.

    In addition to the states of an item: `superseded` (a later visit is stored), `unreadable` (kept as it
    is), `left` (not among `only`) and `not tried` (put back, as the engine cannot be reached). {} if there is
    no file. Raises InputError if the file cannot be used.
    """
    from dupgroups.flow.ingest import Ingestor

    try:
        with claim(file) as taken:
            if taken is None:
                return Counter()
            with taken.open("rb") as lines, bar("replaying", None, "page") as advance:
                return _process(lines, Ingestor(deduper, file), only, advance)
    except OSError as error:
        raise InputError(f"{file} cannot be replayed: {error}; nothing is lost, run this again") from error


def _process(
    lines: Iterable[bytes], ingestor: Ingestor, only: Collection[str], advance: Callable[[int], None]
) -> Counter[str]:
    from dupgroups.flow.ingest import ItemResult, check_kept

    counts: Counter[str] = Counter()
    file = ingestor.dead_letters
    for batch in _batches(lines):
        advance(len(batch))
        if ingestor.unavailable:
            append_lines(file, b"".join(batch))
            counts["not tried"] += len(batch)
            continue
        letters, unreadable = _read(batch)
        wanted = [letter for letter in letters if not only or _name(letter) in only]
        left = [letter for letter in letters if only and _name(letter) not in only]
        append_lines(file, unreadable + b"".join(map(dumps, left)))
        counts["left"] += len(left)
        counts["unreadable"] += unreadable.count(b"\n")
        results = [ingestor.sign(letter.page, letter.time) for letter in wanted]
        signed = [result for result in results if not isinstance(result, ItemResult)]
        current = _not_superseded(signed, ingestor.deduper)
        counts["superseded"] += len(signed) - len(current)
        ended = [result for result in (*results, *ingestor.add(current)) if isinstance(result, ItemResult)]
        check_kept(ended, file)
        counts.update(result.state for result in ended)
    return +counts


def _batches(lines: Iterable[bytes]) -> Iterator[list[bytes]]:
    """The lines, at most BATCH_PAGES and about BATCH_BYTES at a time."""
    ended = (line.rstrip(b"\n") + b"\n" for line in lines)
    return heavy_batches(ended, BATCH_BYTES, lambda line: max(len(line), BATCH_BYTES // BATCH_PAGES))


def _read(batch: Iterable[bytes]) -> tuple[list[DeadLetter], bytes]:
    """The letters of these lines, and the lines that are not letters."""
    letters, rest = [], []
    for line in filter(bytes.strip, batch):
        try:
            letters.append(loads(line))
        except InputError:
            rest.append(line)
    return letters, b"".join(rest)


def _name(letter: DeadLetter) -> str:
    return letter.page.url or letter.page.id or ""


def _list(file: Path) -> Iterator[tuple[str, str, str]]:
    with file.open("rb") as lines:
        letters = (letter for batch in _batches(lines) for letter in _read(batch)[0])
        listed = {_name(letter): (letter.reason, letter.time) for letter in letters}
    yield from ((name, *told) for name, told in listed.items())


def _not_superseded(signed: list[Signed], deduper: Deduper) -> list[Signed]:
    """The pages whose document has not been stored again since they were received."""
    stored = deduper.engine.get([page.document.record.id for page in signed])
    seen = {id_: record.last_seen for id_, record in stored.items()}
    return [page for page in signed if seen.get(page.document.record.id, 0) <= microseconds(page.time)]


def _report(file: Path, counts: Counter[str]) -> str:
    if not counts:
        return "Nothing to replay."
    ended = ", ".join(f"{count} {state.replace('_', ' ')}" for state, count in counts.items())
    is_left = any(counts[state] for state in (*UNSTORED_STATES, "left"))
    stay = f" The remaining pages are in {file}." if is_left else ""
    return f"{count_noun(sum(counts.values()), 'page')}: {ended}.{stay}"
