"""`dup-groups train articles` and `evaluate articles`: the tree that separates articles from other pages."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
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
    turn. The packs need page types. Example:

        dup-groups evaluate articles newstype-en --trials 5
    """
    from dupgroups.content.article_score import article_score
    from dupgroups.model import Page
    from dupgroups_lab.papers import standke
    from dupgroups_lab.training import article_tree

    pages = article_tree.read_typed(packs)
    cases = [article_tree.case_of(page) for page in pages]
    scores = {
        name: _Scores(
            standke.repeated(cases, names, trials=trials, folds=folds), standke.by_site(cases, names)
        )
        for name, names in article_tree.FEATURE_SETS.items()
    }
    auto = [article_score(Page(url=page.url, html=page.html)) >= 0.5 for page in pages]
    measured = _Measured(len(pages), scores, standke.f1(cases, auto))
    extent = f"{article_tree.train(cases).root}\n{counted(len(pages), 'page')}"
    show([_table(measured, f"F1, {trials} x {folds} folds")], measured, as_json, extent=extent)


@dataclass(frozen=True)
class _Scores:
    """F1 of "article" with some features: of each cross-validation, and with every site left out in turn."""

    trials: Sequence[float]
    by_site: float


@dataclass(frozen=True)
class _Measured:
    """The scores by the name of the features, and the F1 of `auto` as it is shipped."""

    pages: int
    scores: Mapping[str, _Scores]
    auto: float


def _table(measured: _Measured, column: str) -> Tabulated:
    from dupgroups_lab.papers.standke import Interval

    rows = [
        (name, str(Interval.of(scores.trials)), f"{scores.by_site:.3f}")
        for name, scores in measured.scores.items()
    ]
    without, with_links = (scores.trials for scores in measured.scores.values())
    gained = [after - before for before, after in zip(without, with_links, strict=True)]
    rows.append(("gain of the links", str(Interval.of(gained)), ""))
    rows.append(("auto, as shipped", f"{measured.auto:.3f}", ""))
    return Tabulated(("features", column, "F1, site left out"), rows)
