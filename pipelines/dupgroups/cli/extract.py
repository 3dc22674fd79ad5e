"""`dup-groups extract`: the article of one page, as the crawl would store it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.cli.console import app
from dupgroups.cli.files import check_place, written
from dupgroups.cli.methods import chosen
from dupgroups.cli.options import OUT, ConfigOption, ExtractorOption, JsonOption
from dupgroups.cli.output import plain, print_json, stdout
from dupgroups.cli.pages import PAGE, load
from dupgroups.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from rich.table import Table

    from dupgroups.explain import PageExplanation
    from dupgroups.method_set import MethodSet
    from dupgroups.model import Page

SHOWN = ("title", "author", "date", "language", "site", "url", "image")


@app.command("extract")
def extract(
    page: Annotated[str, typer.Argument(help=PAGE)],
    url: Annotated[str | None, typer.Option(help="The URL that the file was downloaded from.")] = None,
    extractor: ExtractorOption = None,
    config: ConfigOption = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say block by block what is kept, and where the rest is from.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help=OUT, metavar="OUT.html", show_default=False)] = None,
    as_json: JsonOption = False,
) -> None:
    """Print the article of a page: headline and other data, the confidence that it is one, and the text.

    With --explain: all blocks of the page, what each extractor keeps, the probability, why the page counts as
    an article or not, and where title, author and date were found; --out writes that as an HTML file that
    needs no other file.

    Examples:

        dup-groups extract https://example.org/news/1.html

        dup-groups extract saved.html --url https://example.org/1.html --json

        curl https://example.org/news/1.html | dup-groups extract -

        dup-groups extract saved.html --explain --out report.html
    """
    from dupgroups.method_set import MethodSet

    if out and not explain:
        raise InputError("--out writes an explanation: add --explain")
    methods = MethodSet(chosen(config, extractor, None, None))
    if explain:
        _explain(load(page, url), methods, out, as_json)
        return
    content = methods.extract(load(page, url))
    if as_json:
        print_json(content)
        return
    console = stdout()
    for name in SHOWN:
        if value := getattr(content, name):
            console.print(f"{name}: {plain(value)}", soft_wrap=True)
    console.print(f"article: {content.article:.2f}\n" if content.text else "(no article found)")
    console.print("\n".join(map(plain, content.text.split("\n"))), soft_wrap=True)


# -- why


def _explain(page: Page, methods: MethodSet, out: Path | None, as_json: bool) -> None:
    from dupgroups.explain import explain_page

    if out:
        check_place(out)
    made = explain_page(page, methods.extractor(methods.extract(page).language))
    if out:
        _write(made, out)
    if as_json:
        print_json(made)
    elif not out:
        _print(made)


def _write(made: PageExplanation, out: Path) -> None:
    try:
        from dupgroups.web.render import report
    except ModuleNotFoundError as error:
        raise MissingExtraError("web", "The report") from error
    with written(out) as file:
        file.write(report("extracted.html", made=made))


def _print(made: PageExplanation) -> None:
    console = stdout()
    for source in made.sources:
        value, found = plain(source.value) or "(none)", f" <- {source.found}" if source.found else ""
        console.print(f"{source.name}: {value}{found}", soft_wrap=True)
    console.print()
    for line in _article(made):
        console.print(line, soft_wrap=True)
    console.print()
    console.print(_blocks(made))
    if made.more:
        console.print(f"{made.more:,} more blocks are not listed")


def _article(made: PageExplanation) -> Iterator[str]:
    yield f"article: {made.content.article:.2f}, from log odds that add up:"
    for part in made.evidence:
        yield f"  {part.contribution:+7.2f}  {part.name} = {part.value:.2f}"
    if not made.evidence:
        yield "  nothing, because the default extractor keeps no block"
    yield f"article by the decision tree (c45): {made.tree:.2f}, on this path:"
    for step in made.path:
        value = f"{step.value:.4g}" if isinstance(step.value, float) else plain(str(step.value))
        yield f"  {step.attribute} = {value} ({step.test}): {step.articles:.2f}"


def _blocks(made: PageExplanation) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in ("kept", "probability", *made.extractors[1:], "tag", "text"):
        table.add_column(column)
    for block in made.blocks:
        marks = ("x" if name in block.kept_by else "" for name in made.extractors[1:])
        kept, probability = "keep" if block.kept else "", f"{block.probability:.2f}"
        style = "green" if block.kept else "dim"
        table.add_row(kept, probability, *marks, block.tag, plain(block.text), style=style)
    return table
