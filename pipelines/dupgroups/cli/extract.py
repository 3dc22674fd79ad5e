"""`dup-groups extract`: the article of a page, or of every document of a file, as a crawl would store it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.bulk.inputs.page_reader import PAGE, PageReader, fields_of_file, load
from dupgroups.cli import options
from dupgroups.cli.built_in import commands
from dupgroups.cli.methods import choose_methods
from dupgroups.cli.options import option
from dupgroups.cli.output import json_values, plain_table, print_json, stdout, summary_console
from dupgroups.cli.progress import left_out_of, reading_bar, teller
from dupgroups.cli.tables import Cell, check_result, write_table
from dupgroups.model import Content, Page
from dupgroups.model.config import Config
from dupgroups.text.batches import batches
from dupgroups.text.counted import count_noun
from dupgroups.text.terminal import plain

if TYPE_CHECKING:
    from dupgroups.flow.explain.page_explanation import PageExplanation
    from dupgroups.flow.method_set import MethodSet

SHOWN_FIELDS = ("title", "author", "date", "language", "site", "url", "image", "source", "owner")
COLUMNS = ("id", *SHOWN_FIELDS, "article", "text")
CHUNK_PAGES = 32  # pages that a process extracts at a time


@commands.command("extract")
def extract(
    page: Annotated[str, typer.Argument(help=PAGE)],
    url: Annotated[str | None, option("The URL that the file was downloaded from.")] = None,
    out: Annotated[Path | None, option(options.OUT_HELP, "ARTICLES.jsonl")] = None,
    fields: options.Fields = None,
    processes: options.Processes = None,
    preset: options.Preset = None,
    extractor: options.Extractor = None,
    config: options.ConfigFile = None,
    explain: Annotated[
        bool,
        option(
            "Explain block by block what is kept, and where title, date and author come from.",
            name="--explain",
        ),
    ] = False,
    as_json: options.Json = False,
) -> None:
    """Print the article of a page: headline and other data, the confidence that it is one, and the text.

    With `--out`, PAGE is a file of documents in any of the formats of `group`, and the article of each
    goes to a file in the format of its name (.parquet, .jsonl, or else CSV); `-` is standard output, as JSON
    Lines. The names of fields are for such a file.

    With `--json`, `sources` say where title, author and date were found, and how probable a date in sight is.

    With `--explain`: all blocks of the page, their probabilities, which are kept, why the page counts
    as an article or not, and where title, author and date were found. Examples:

        dup-groups extract https://example.org/news/1.html

        dup-groups extract saved.html --url https://example.org/1.html --json

        curl https://example.org/news/1.html | dup-groups extract -

        dup-groups extract crawl.warc.gz --out - | jq .title

        dup-groups extract saved.html --explain
    """
    from dupgroups.flow.explain.page_explanation import explain_page
    from dupgroups.flow.method_set import MethodSet

    settings = choose_methods(config, preset, extractor, None, None)
    options.check_alone("--out", out, {"--url": url is not None, "--json": as_json, "--explain": explain})
    if out is not None:
        check_result(out, Path(page), config)
        _extract_all(PageReader(Path(page), teller(), fields_of_file(fields)), settings, processes, out)
        return
    methods, loaded = MethodSet(settings), load(page, url)
    content = methods.extract(loaded)
    if not explain and not as_json:
        _print_article(content, is_html=bool(loaded.html))
        return
    made = explain_page(loaded, methods.method(content.language).extractor or "auto")
    if as_json:
        print_json(made if explain else json_values(content) | {"sources": made.sources})
    else:
        _print_explained(made)


def _print_article(content: Content, *, is_html: bool) -> None:
    console = stdout()
    for name in SHOWN_FIELDS:
        if value := getattr(content, name):
            console.print(f"{name}: {plain(value)}")
    if not content.text:
        console.print("(no article found)")
        return
    if is_html:  # a plain text is taken as it is
        console.print(f"article: {content.article:.2f}\n")
    console.print("\n".join(map(plain, content.text.split("\n"))))


def _extract_all(documents: PageReader, config: Config, processes: int | None, out: Path) -> None:
    """Write the articles of all documents, in their order; on all cores."""
    from dupgroups.bulk.processes import Pool
    from dupgroups.flow.method_set import MethodSet

    done = 0

    def rows() -> Iterator[Sequence[Cell]]:
        nonlocal done
        with Pool.for_items(documents, processes, MethodSet, config) as (pool, pages):
            for chunk in pool.map(_rows, batches(pages, CHUNK_PAGES)):
                yield from chunk
                done += len(chunk)
                advance(done)

    with reading_bar(documents) as advance:
        write_table(out, COLUMNS, rows(), piped="jsonl")
    summary_console(out).print(f"{count_noun(done, 'document')} extracted{left_out_of(documents)[0]}")
    documents.check_left_out()


def _rows(methods: MethodSet, pages: Sequence[Page]) -> list[Sequence[Cell]]:
    read, shown = ((page.id or "", methods.extract(page)) for page in pages), attrgetter(*SHOWN_FIELDS)
    return [[id_, *(value or "" for value in shown(made)), made.article, made.text] for id_, made in read]


def _print_explained(made: PageExplanation) -> None:
    console = stdout()
    for source in made.sources:
        value, place = plain(source.value) or "(none)", f" <- {source.found}" if source.found else ""
        chance = "" if source.probability is None else f", probability {source.probability:.2f}"
        console.print(f"{source.name}: {value}{place}{chance}")
    console.print(f"\narticle: {made.content.article:.2f}, from log odds that add up:")
    for part in made.evidence:
        console.print(f"  {part.contribution:+7.2f}  {part.name} = {part.value:.2f}")
    if not made.evidence:
        console.print("  nothing, because the default extractor keeps no block")
    table = plain_table("kept", "probability", "tag", "text")
    for block in made.blocks:
        kept, style = ("keep", "green") if block.kept else ("", "dim")
        table.add_row(kept, f"{block.probability:.2f}", block.tag, plain(block.text), style=style)
    console.print("", table, sep="\n", soft_wrap=False)
    if made.more:
        console.print(f"{made.more:,} more blocks are not listed")
