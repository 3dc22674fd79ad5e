"""`dup-groups train articles` and `evaluate articles`: the tree that separates articles from other pages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from dupgroups.cli.files import check_place, written
from dupgroups_lab.commands.evaluate import evaluate
from dupgroups_lab.commands.train import train

Packs = Annotated[
    list[Path],
    typer.Argument(help="Folders with a pages.jsonl.gz that has page types.", metavar="PACK..."),
]


@train.command("articles")
def train_articles(
    packs: Packs,
    out: Annotated[Path, typer.Option(help="File to write the tree to.", metavar="FILE.json")] = Path(
        "article_tree.json"
    ),
) -> None:
    """Train the C4.5 tree that separates articles from other pages, and print it."""
    from dupgroups_lab.labels.pages import PAGES
    from dupgroups_lab.training import article_tree

    check_place(out, *(pack / PAGES for pack in packs))
    cases = [article_tree.case_of(page) for page in article_tree.read_typed(packs)]
    root = article_tree.train(cases).root
    with written(out) as file:
        file.write(json.dumps(root.to_json(), indent=1) + "\n")
    typer.echo(root)
    typer.echo(f"{out}: a tree from {len(cases)} pages of {len({case.site for case in cases})} sites")


@evaluate.command("articles")
def evaluate_articles(
    packs: Packs,
    trials: Annotated[
        int, typer.Option(help="Number of cross-validations, each with different folds.", min=1)
    ] = 20,
    folds: Annotated[int, typer.Option(help="Folds of each cross-validation.", min=2)] = 10,
) -> None:
    """Cross-validate the tree that separates articles from other pages, with and without link features.

    Prints the F1 of "article" over random folds, as in Standke's experiment, and with every site left out in
    turn.
    """
    from rich.console import Console
    from rich.table import Table

    from dupgroups.content.article_tree import article_score
    from dupgroups.model import Page
    from dupgroups_lab.papers import standke
    from dupgroups_lab.training import article_tree

    console = Console(highlight=False, markup=False)
    pages = article_tree.read_typed(packs)
    cases = [article_tree.case_of(page) for page in pages]
    table = Table(
        "features", f"F1, {trials} x {folds} folds", "F1, site left out", title=f"{len(pages)} pages"
    )
    scores = {}
    for name, names in article_tree.FEATURE_SETS.items():
        scores[name] = standke.repeated(cases, names, trials=trials, folds=folds)
        table.add_row(name, str(standke.Interval.of(scores[name])), f"{standke.by_site(cases, names):.3f}")
    without, with_links = scores.values()
    gained = [after - before for before, after in zip(without, with_links, strict=True)]
    table.add_row("gain of the links", str(standke.Interval.of(gained)), "")
    auto = [article_score(Page(url=page.url, html=page.html)) >= 0.5 for page in pages]
    table.add_row("auto, as shipped", f"{standke.f1(cases, auto):.3f}", "")
    console.print(table)
    console.print(str(article_tree.train(cases).root))
