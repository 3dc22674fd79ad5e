"""`dup-groups frequencies`: the number of documents of a corpus that hold words and phrases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.bulk.inputs.page_reader import PageReader, fields_of_file
from dupgroups.cli import options
from dupgroups.cli.engine import count, existing
from dupgroups.cli.files import check_place, files_of_engine, report_write_errors
from dupgroups.cli.options import option
from dupgroups.cli.progress import bar, reading_bar, teller
from dupgroups.errors import InputError
from dupgroups_lab.commands.lab_options import DocumentsIfAny

if TYPE_CHECKING:
    from dupgroups.model import Content
    from dupgroups.model.config import Config
    from dupgroups_papers.corpus.frequencies import Frequencies

SHARES = (0.01, 0.05, 0.1)  # of the distinct phrases


app = typer.Typer(rich_markup_mode="markdown", add_completion=False)


@app.command("frequencies")
def frequencies(
    out: Annotated[Path, option(options.OUT_HELP, "FREQUENCIES.npz")],
    documents: DocumentsIfAny = None,
    engine: options.Engine = None,
    phrase: Annotated[int, option("Words of a phrase.", "WORDS", min=2, max=32)] = 7,
    least: Annotated[int, option("Leave out words and phrases in fewer documents.", min=1)] = 2,
    most: Annotated[
        int, option("Maximum number of words, and of phrases, in memory: 4 million take 0.5 GB.", min=1)
    ] = 4_000_000,
    fields: options.Fields = None,
    config: options.ConfigFile = None,
) -> None:
    """Learn document frequencies of words and phrases from a file or an index, for methods that use them.

    Give either a file of documents or `--engine URL`.

    Name the file in the configuration: `signer = { name = "weighted_phrases", frequencies = "FREQUENCIES.npz"
    }`; the same for `imatch`, `cosine` and, with phrases of its size, `shingling`. Prints how many of the
    distinct phrases `shingling` drops with `top_frequency`: those in the same number of documents are all
    dropped or all kept.

    Documents signed with other frequencies have another scheme: run `dup-groups backfill` to sign them again.

    Examples:

        dup-groups frequencies news.jsonl.gz --out news.npz

        dup-groups frequencies --engine sqlite:///news.db --out news.npz
    """
    from dupgroups.model.config import Config, from_toml

    if (documents is None) == (engine is None):
        raise InputError("give either a file of documents or --engine URL")
    settings = from_toml(config) if config else Config()
    check_place(out, documents, config, *(files_of_engine(engine) if engine else ()))
    lines = PageReader(documents, teller(), fields_of_file(fields)) if documents else None
    contents = _read(lines, settings) if lines else _scan_store(engine)
    learned, summary = _count(contents, phrase, least, most)
    with report_write_errors(out):
        learned.save(out)
    typer.echo(f"{out}: {summary}")
    if lines:
        lines.check_left_out()


def _count(contents: Iterable[Content], phrase: int, least: int, most: int) -> tuple[Frequencies, str]:
    from dupgroups.text.counted import count_noun
    from dupgroups_papers.corpus.frequencies import Frequencies

    frequencies = Frequencies.of_texts((content.text for content in contents), phrase, least, most)
    error = f"; counts are too low by {frequencies.error:,} at most" if frequencies.error else ""
    size = f"{len(frequencies.features):,} words and phrases"
    documents = count_noun(frequencies.documents, "document")
    summary = f"version {frequencies.version}, {size} of {documents}{error}"
    return frequencies, "\n".join([summary, *_tops(frequencies)])


def _tops(frequencies: Frequencies) -> Iterator[str]:
    """The distinct phrases that `top_frequency` drops, for some shares; nothing where there are no
    phrases."""
    spectrum = frequencies.spectrum
    if spectrum and len(spectrum.phrases):
        for share in SHARES:
            limit = frequencies.top_frequency(share)
            dropped = spectrum.at_least(limit)
            yield f"top {share:.0%}: {dropped:.2%} of the distinct phrases are in {limit:,} documents or more"


def _read(lines: PageReader, settings: Config) -> Iterator[Content]:
    from dupgroups.flow.method_set import MethodSet

    methods = MethodSet(settings)
    with reading_bar(lines) as advance:
        for done, page in enumerate(lines, start=1):
            yield methods.extract(page)
            advance(done)


def _scan_store(url: str | None) -> Iterator[Content]:
    with closing(existing(url, None)) as engine, bar("counting", count(engine)) as advance:
        for document in engine.scan():
            yield document.content
            advance(1)
