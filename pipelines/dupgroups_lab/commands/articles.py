"""`dup-groups train articles` and `evaluate articles`: the tree that separates articles from other pages."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from dupgroups.cli.files import check_place, written
from dupgroups.cli.options import OUT, JsonOption
from dupgroups.text.counted import counted
from dupgroups_lab.commands.evaluate import evaluate
from dupgroups_lab.commands.options import PacksArgument
from dupgroups_lab.commands.tables import show
from dupgroups_lab.commands.train import FOLDS, train
from dupgroups_lab.measures.tables import Tabulated


@train.command("articles")
def train_articles(
    packs: PacksArgument,
    out: Annotated[Path, typer.Option(help=OUT, metavar="FILE.json")] = Path("article_tree.json"),
) -> None:
    """Train the C4.5 tree that separates articles from other pages, and print it.

    The packs need page types. Example:

        dup-groups train articles newstype-en --out article_tree.json
    """
    from dupgroups_lab.labels.pages import PAGES
    from dupgroups_lab.training import article_tree

    check_place(out, *(pack / PAGES for pack in packs))
    cases = [article_tree.case_of(page) for page in article_tree.read_typed(packs)]
    root = article_tree.train(cases).root
    with written(out) as file:
        file.write(json.dumps(root.to_json(), indent=1) + "\n")
    typer.echo(root)
    sites = counted(len({case.site for case in cases}), "site")
    typer.echo(f"{out}: a tree from {counted(len(cases), 'page')} of {sites}")


@evaluate.command("articles")
def evaluate_articles(
    packs: PacksArgument,
    trials: Annotated[
        int,
        typer.Option(help="Number of cross-validations, each with different folds.", min=1, metavar="NUMBER"),
    ] = 20,
    folds: Annotated[int, typer.Option(help=FOLDS, min=2, metavar="NUMBER")] = 10,
    as_json: JsonOption = False,
) -> None:
    """Cross-validate the tree that separates articles from other pages, with and without link features.

    Prints the F1 of "article" over random folds, as in Standke's experiment, and with every site left out in
    turn: on all pages, and on those of sites with pages of both types, because on the others it is enough to
    recognise the site. Links are counted as absolute URLs, and as they are written. The packs need page
    types. Example:

        dup-groups evaluate articles newstype-en --trials 5
    """
    from dupgroups.content.article_score import article_score
    from dupgroups.model import Page
    from dupgroups_lab.papers import standke
    from dupgroups_lab.training import article_tree

    pages = article_tree.read_typed(packs)
    rows: list[_Row] = []
    for links, resolved in (("absolute", True), ("as written", False)):
        cases = [article_tree.case_of(page, resolved=resolved) for page in pages]
        for selection, chosen in standke.selections(cases).items():
            scores = (
                _Scores(
                    standke.repeated(chosen, names, trials=trials, folds=folds),
                    standke.by_site(chosen, names),
                )
                for names in article_tree.FEATURE_SETS.values()
            )
            rows.append(_Row(selection, len(chosen), links, *scores))
    auto = [article_score(Page(url=page.url, html=page.html)) >= 0.5 for page in pages]
    measured = _Measured(rows, standke.f1(cases, auto))
    show([_table(measured, f"{trials} x {folds} folds")], measured, as_json)


@dataclass(frozen=True)
class _Scores:
    """F1 of "article" with some features: of each cross-validation, and with every site left out in turn."""

    trials: Sequence[float]
    by_site: float


@dataclass(frozen=True)
class _Row:
    """The scores on some of the pages, without the features of links and with them."""

    selection: str
    pages: int
    links: str
    without: _Scores
    with_links: _Scores


@dataclass(frozen=True)
class _Measured:
    """The rows, and the F1 of `auto` as it is shipped, on all pages."""

    rows: Sequence[_Row]
    auto: float


def _table(measured: _Measured, column: str) -> Tabulated:
    from dupgroups_lab.papers.standke import Interval

    sites = ("site left out", "site left out, with links")
    cells = [("auto, as shipped", str(measured.rows[0].pages), f"{measured.auto:.3f}", *"----")]
    for row in reversed(measured.rows):
        without, with_links = row.without, row.with_links
        gained = [after - before for before, after in zip(without.trials, with_links.trials, strict=True)]
        intervals = map(Interval.of, (without.trials, with_links.trials, gained))
        by_site = (f"{scores.by_site:.3f}" for scores in (without, with_links))
        cells.append((f"{row.selection}, {row.links}", str(row.pages), *map(str, intervals), *by_site))
    columns = ("pages", column, f"{column}, with links", "gain of the links", *sites)
    return Tabulated(("article or not, F1: pages, links", *columns), cells[::-1])
