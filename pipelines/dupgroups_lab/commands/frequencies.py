"""`dup-groups frequencies`: in how many documents of a corpus, or pages of a host, words stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.cli.documents import FieldName, FieldOption, JsonLines
from dupgroups.cli.engine import existing
from dupgroups.cli.files import check_place, files_of, files_of_engine, reported
from dupgroups.cli.progress import teller
from dupgroups.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from dupgroups.config import Config
    from dupgroups.corpus.frequencies import Frequencies
    from dupgroups.corpus.templates import Templates
    from dupgroups.model import Content

MEMORY = 1_000_000_000  # bytes that the runs of all hosts may take


app = typer.Typer(rich_markup_mode="markdown", add_completion=False)


@app.command("frequencies")
def frequencies(
    out: Annotated[Path, typer.Option(help="Where the frequencies go.", metavar="FREQUENCIES.npz")],
    documents: Annotated[
        Path | None, typer.Argument(help="JSON Lines, gzipped or not.", metavar="[DOCS.jsonl[.gz]]")
    ] = None,
    engine: Annotated[
        str | None, typer.Option(help="Read an index of dup-groups instead.", metavar="URL")
    ] = None,
    phrase: Annotated[int, typer.Option(min=2, max=32, help="Words of a phrase.")] = 7,
    least: Annotated[int, typer.Option(min=1, help="Leave out what fewer documents hold.")] = 2,
    most: Annotated[
        int, typer.Option(min=1, help="Words and phrases held at a time: 4 million take 0.5 GB.")
    ] = 4_000_000,
    per_host: Annotated[
        bool, typer.Option("--per-host", help="Learn what the pages of each host have in common instead.")
    ] = False,
    run: Annotated[int, typer.Option(min=2, max=32, help="Per host: words in a row that count.")] = 10,
    common: Annotated[int, typer.Option(min=2, max=128, help="Per host: pages that hold them.")] = 4,
    field: FieldOption = None,
    config: Annotated[
        Path | None, typer.Option(help="TOML file that names the extractor.", metavar="FILE.toml")
    ] = None,
) -> None:
    """Learn document frequencies of words and phrases from a file or an index, for methods that use them.

    Name the file in the configuration: `signer = { name = "weighted_phrases", frequencies =
    "FREQUENCIES.npz" }`; the same for `imatch`, `cosine` and, with phrases of its size, `shingling`. What was
    signed with other frequencies is told apart by its scheme: run `dup-groups backfill` to sign it anew.

    With --per-host the file holds the template of each host, what at least four of its first 128 pages have
    in common; `hosts = { templates = "HOSTS.npz" }` in the configuration leaves it out of what is signed. It
    is worth it where texts hold menus and notices: pages taken whole, or what your own extractor leaves.
    Examples:

        dup-groups frequencies news.jsonl.gz --out news.npz

        dup-groups frequencies --engine sqlite:///news.db --out news.npz

        dup-groups frequencies --engine opensearch://localhost:9200/news --per-host --out hosts.npz
    """
    from rich.console import Console

    from dupgroups.config import Config, from_toml
    from dupgroups.corpus.templates import Templates

    found: Frequencies | Templates
    if (documents is None) == (engine is None):
        raise InputError("give a file of documents or --engine URL, one of the two")
    settings = from_toml(config) if config else Config()
    check_place(out, documents, config, *files_of(settings), *(files_of_engine(engine) if engine else ()))
    console = Console(stderr=True, highlight=False, markup=False)
    contents = _read(documents, field, settings, console) if documents else _scanned(engine, console)
    if per_host:
        found, told = _per_host(contents, Templates(run=run, common=common))
    else:
        found, told = _counted(contents, phrase, least, most)
    with reported(out):
        found.save(out)
    typer.echo(f"{out}: {told}")


def _counted(contents: Iterable[Content], phrase: int, least: int, most: int) -> tuple[Frequencies, str]:
    from dupgroups.corpus.frequencies import Frequencies, terms_and_phrases
    from dupgroups.web.wording import counted

    found = Frequencies.learn((terms_and_phrases(each.text, phrase) for each in contents), least, most)
    error = f"; counts are too low by {found.error:,} at most" if found.error else ""
    size, documents = f"{len(found.features):,} words and phrases", counted(found.documents, "document")
    return found, f"version {found.version}, {size} of {documents}{error}"


def _per_host(contents: Iterable[Content], settings: Templates) -> tuple[Templates, str]:
    from dupgroups.corpus.template_learner import TemplateLearner, learned
    from dupgroups.text.urls import host_of

    counts = TemplateLearner(settings, MEMORY)
    found = learned(((host_of(each.url), each.text) for each in contents), counts)
    runs = sum(map(len, found.hosts.values()))
    lost = f"; {counts.forgotten:,} hosts were forgotten for want of memory" if counts.forgotten else ""
    hosts = f"{runs:,} runs of {found.run} words of {len(found.hosts):,} hosts"
    return found, f"version {found.version}, {hosts} that have any{lost}"


def _read(documents: Path, field: FieldName | None, settings: Config, console: Console) -> Iterator[Content]:
    from dupgroups.method_set import MethodSet

    methods = MethodSet(settings)
    lines = JsonLines(documents, field.value if field else None, teller(console))
    with _bar(console) as update:
        for done, page in enumerate(lines, start=1):
            yield methods.extract(page)
            update(done, lines.position, lines.size)


def _scanned(url: str | None, console: Console) -> Iterator[Content]:
    from dupgroups.model import Query

    with closing(existing(url, None)) as engine:
        total = engine.search(Query(mode="all", limit=1)).documents
        with _bar(console) as update:
            for done, each in enumerate(engine.scan(), start=1):
                yield each.content
                update(done, done, total)


@contextmanager
def _bar(console: Console) -> Iterator[Callable[[int, int, int], None]]:
    """Told how many documents are read, and how far that is of how much."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from dupgroups.web.wording import counted

    columns = (
        TextColumn("counting"),
        BarColumn(),
        TextColumn("{task.fields[count]:>19}, left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("counting", total=None, count="")

        def update(count: int, position: int, size: int) -> None:
            progress.update(task, completed=position, total=size or None, count=counted(count, "document"))

        yield update
