"""What `dup-groups extract --explain` prints or writes: a page block by block."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from dupgroups.cli.files import check_place, written
from dupgroups.cli.output import plain, plain_table, print_json, stdout
from dupgroups.errors import MissingExtraError
from dupgroups.model import Page

if TYPE_CHECKING:
    from rich.table import Table

    from dupgroups.flow.explain import PageExplanation
    from dupgroups.flow.method_set import MethodSet


def explain_page(page: Page, methods: MethodSet, out: Path | None, as_json: bool, lang: str) -> None:
    """Print why the text of a page is what it is, or write it to `out` as HTML in this language."""
    from dupgroups.flow import explain

    if out:
        check_place(out)
    made = explain.explain_page(page, methods.extractor(methods.extract(page).language))
    if out:
        _write(made, out, lang)
    if as_json:
        print_json(made)
    elif not out:
        _print(made)


def _write(made: PageExplanation, out: Path, lang: str) -> None:
    try:
        from dupgroups.web.language import LANGUAGES, speaking_in
        from dupgroups.web.render import report
    except ModuleNotFoundError as error:
        raise MissingExtraError("web", "The report") from error
    with speaking_in(LANGUAGES[lang]), written(out) as file:
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


def _blocks(made: PageExplanation) -> Table:
    table = plain_table("kept", "probability", "tag", "text")
    for block in made.blocks:
        kept, probability = "keep" if block.kept else "", f"{block.probability:.2f}"
        style = "green" if block.kept else "dim"
        table.add_row(kept, probability, block.tag, plain(block.text), style=style)
    return table
