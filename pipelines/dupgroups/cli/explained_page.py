"""What `dup-groups extract --explain` prints: a page block by block."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dupgroups.cli.output import plain, plain_table, print_json, stdout
from dupgroups.model import Page

if TYPE_CHECKING:
    from rich.table import Table

    from dupgroups.flow.explain import PageExplanation
    from dupgroups.flow.method_set import MethodSet


def explain_page(page: Page, methods: MethodSet, as_json: bool) -> None:
    """Print why the text of a page is what it is."""
    from dupgroups.flow import explain

    made = explain.explain_page(page, methods.extractor(methods.extract(page).language))
    if as_json:
        print_json(made)
    else:
        _print(made)


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
    table = plain_table("kept", "probability", *made.extractors[1:], "tag", "text")
    for block in made.blocks:
        marks = ("x" if name in block.kept_by else "" for name in made.extractors[1:])
        kept, probability = "keep" if block.kept else "", f"{block.probability:.2f}"
        style = "green" if block.kept else "dim"
        table.add_row(kept, probability, *marks, block.tag, plain(block.text), style=style)
    return table
